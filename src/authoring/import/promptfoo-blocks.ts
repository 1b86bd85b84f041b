import { deepEqual } from "../../evaluate/metrics/sequences/deep-equal.ts";
import { compileSchema } from "../../evaluate/rules/json-schema.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { compilePattern } from "../../model/patterns/pattern.ts";
import { compact } from "./source.ts";

const DRAFT_7 = "http://json-schema.org/draft-07/schema#";

/** Why an assert was not, or not completely, converted. Null if everything was converted. */
export type Problem = string | null;

/**
 * Collects the blocks of a query from asserts. Each method that adds a part returns null, or why an assert cannot be converted.
 */
export class QueryBlocks {
  readonly #correctness: Record<string, JsonValue> = {};
  readonly #path: Record<string, JsonValue> = {};
  readonly #cost: Record<string, JsonValue> = {};
  readonly #spans: JsonValue[] = [];
  readonly #schemas: JsonObject[] = [];

  answer(key: string, ...items: readonly JsonValue[]): Problem {
    return append(this.#correctness, key, items);
  }

  tools(key: string, ...names: readonly JsonValue[]): Problem {
    return append(this.#path, key, names);
  }

  /** Adds JavaScript patterns that must occur in the answer or, if `inverse`, must not occur. */
  patterns(sources: readonly string[], inverse: boolean): Problem {
    for (const source of sources) {
      const wrong = compilePattern(source, { language: "plain-javascript" });
      // A spec uses Python's pattern syntax. A pattern that is valid only in JavaScript is rejected.
      const refused = wrong.ok ? compilePattern(source) : wrong;
      if (!refused.ok) return `pattern ${source}: ${refused.problem.message}`;
    }
    // An empty pattern matches every answer. It is written as `(?:)`, because a spec rejects an empty text, which is usually a mistake.
    const written = sources.map((source) => (source === "" ? "(?:)" : source));
    return append(this.#correctness, inverse ? "not_regex_match" : "regex_match", written);
  }

  /**
   * Requires that the answer is JSON that matches the schema. If the schema does not name its draft, it is
   * draft 7.
   */
  schema(schema: JsonObject): Problem {
    const compiled = compileSchema(withDraft(schema));
    if (!compiled.ok) return `schema: ${compiled.reason}`;
    const draft = withDraft(schema)["$schema"];
    if (this.#schemas.some((one) => withDraft(one)["$schema"] !== draft))
      return "the query already has a schema of another JSON Schema draft";
    this.#schemas.push(schema);
    return null;
  }

  once(layer: "correctness" | "path", key: string, value: JsonValue): Problem {
    const block = layer === "path" ? this.#path : this.#correctness;
    const known = block[key];
    if (known !== undefined) return deepEqual(known, value) ? null : `the query already has another ${key}`;
    block[key] = value;
    return null;
  }

  /** Adds a limit. Of two limits for one key, the lower one applies. */
  limit(layer: "path" | "cost", key: string, limit: number): Problem {
    if (limit < 0) return "the limit is below 0";
    const block = layer === "path" ? this.#path : this.#cost;
    const known = block[key];
    block[key] = typeof known === "number" ? Math.min(known, limit) : limit;
    return null;
  }

  span(assertion: JsonObject): Problem {
    if (!this.#spans.some((known) => deepEqual(known, assertion))) this.#spans.push(assertion);
    return null;
  }

  /** Returns the blocks, without empty ones. An empty schema is included, because it requires JSON. */
  written(): JsonObject {
    const schema = this.#wholeSchema();
    return compact({
      correctness: {
        ...Object.fromEntries(
          Object.entries(this.#correctness).map(([key, value]) => [key, shortest(key, value)]),
        ),
        ...(schema === undefined ? {} : { json_schema: schema }),
      },
      path: this.#path,
      cost: this.#cost,
      spans: this.#spans,
    });
  }

  #wholeSchema(): JsonObject | undefined {
    const [first, ...others] = this.#schemas;
    if (first === undefined || others.length === 0)
      return first === undefined || Object.keys(first).length === 0 ? first : withDraft(first);
    const parts = this.#schemas.map((one) =>
      Object.fromEntries(Object.entries(one).filter(([key]) => key !== "$schema")),
    );
    return { $schema: withDraft(first)["$schema"] ?? DRAFT_7, allOf: parts };
  }
}

/** Returns a list with one pattern as a single pattern, which is shorter in YAML. */
function shortest(key: string, value: JsonValue): JsonValue {
  return key.endsWith("regex_match") && isArray(value) && value.length === 1 ? (value[0] ?? value) : value;
}

function withDraft(schema: JsonObject): JsonObject {
  return schema["$schema"] === undefined ? { $schema: DRAFT_7, ...schema } : schema;
}

function append(block: Record<string, JsonValue>, key: string, more: readonly JsonValue[]): null {
  const known = block[key];
  const list = isArray(known) ? [...known] : [];
  for (const item of more) if (!list.some((one) => deepEqual(one, item))) list.push(item);
  if (list.length > 0) block[key] = list;
  return null;
}

/** Returns a pattern that matches exactly this text. */
export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

export function isScalar(value: JsonValue | undefined): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

export function textOf(value: JsonValue): string {
  return isArray(value) || isObject(value) ? JSON.stringify(value) : String(value);
}
