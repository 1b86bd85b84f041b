import { derivedOnce, remembered } from "../../support/structures/bounded-memo.ts";
import { Ajv, type ErrorObject, type Options, str, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { isMultipleOf } from "../../support/structures/compare-limit.ts";
import { misspeltKeyword } from "./misspelt-keyword.ts";
import type { JsonValue } from "../../model/json.ts";
import { compilePattern } from "../../model/patterns/pattern.ts";

export type SchemaText = Readonly<Record<string, unknown>>;

export interface SchemaProblem {
  /** JSON pointer to the invalid part of the value; empty for the whole value. */
  readonly path: string;
  readonly message: string;
}

export type CompiledSchema =
  | {
      readonly ok: true;
      /** Returns no problem if the value is valid. Stops at the first invalid part. */
      validate(value: JsonValue): readonly SchemaProblem[];
      /** Returns the problems of all parts. Each invalid part costs memory, so call this function only with a value of limited size. */
      allProblems(value: JsonValue): readonly SchemaProblem[];
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Compiles a JSON Schema (draft 4, 6, 7, 2019-09 or, by default, 2020-12). Patterns run on RE2, so that no schema takes exponential time.
 * Nothing is fetched: a `$ref` to another document is an error. Results are cached by schema object, and for short schemas by text, because
 * a spec is read several times.
 */
export const compileSchema: (schema: SchemaText) => CompiledSchema = derivedOnce((schema) =>
  compiledText(JSON.stringify(schema)),
);

const compiledText = remembered(compile, 64, 4096);

/**
 * Compiles a schema from its text, not from the object in the spec: objects in a spec have no prototype, so in `const` and `enum` the
 * validator would not find them equal to objects of an answer.
 */
function compile(text: string): CompiledSchema {
  const schema = JSON.parse(text) as SchemaText;
  const misspelt = misspeltKeyword(schema);
  if (misspelt !== undefined)
    return {
      ok: false,
      reason: `unknown ${misspelt.what} "${misspelt.written}"; did you mean "${misspelt.meant}"?`,
    };
  const current = isOlder(schema) ? (asDraft7(schema) as SchemaText) : schema;
  const mayShare = !named.test(text);
  const compiled = (given: Options): ValidateFunction =>
    mayShare ? compiledByShared(schema, current, given) : engineFor(schema, given).compile(current);
  let check: ValidateFunction;
  try {
    check = compiled(options);
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
  let thorough: ValidateFunction | undefined;
  return {
    ok: true,
    validate: (value) => problemsIn(value, check),
    allProblems: (value) => problemsIn(value, (thorough ??= compiled({ ...options, allErrors: true }))),
  };
}

function problemsIn(value: JsonValue, check: ValidateFunction): readonly SchemaProblem[] {
  return check(value) ? [] : (check.errors ?? []).map(problem);
}

function problem(error: ErrorObject): SchemaProblem {
  const extra: unknown = error.params["additionalProperty"] ?? error.params["unevaluatedProperty"];
  const named = typeof extra === "string" ? ` (${JSON.stringify(extra)})` : "";
  const choices: unknown = error.params["allowedValues"];
  const among = Array.isArray(choices)
    ? `: ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`
    : "";
  return { path: error.instancePath, message: `${error.message ?? error.keyword}${named}${among}` };
}

function isOlder({ $schema }: SchemaText): boolean {
  return typeof $schema === "string" && /draft-0[46]/.test($schema);
}

/**
 * Keywords that contain a map by name, such as `properties`. The names are not converted: a property called `id` is not the keyword `id`.
 */
const names: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "definitions",
  "dependencies",
]);
/** Keywords that contain a JSON value, not a schema. The value is not converted. */
const values: ReadonlySet<string> = new Set(["enum", "const", "default", "examples"]);

/** Converts a schema of draft 4 or 6 to draft 7, in which exclusive bounds are numbers, and `id` is `$id`. */
function asDraft7(schema: unknown, isNames = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => asDraft7(item));
  if (typeof schema !== "object" || schema === null) return schema;
  const written = schema as Record<string, unknown>;
  if (isNames) return Object.fromEntries(Object.entries(written).map(([key, item]) => [key, asDraft7(item)]));
  const converted: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(written)) {
    if (key === "$schema") continue;
    if (key.startsWith("exclusive") && typeof value === "boolean") continue;
    if (key === "minimum" && written["exclusiveMinimum"] === true) converted["exclusiveMinimum"] = value;
    else if (key === "maximum" && written["exclusiveMaximum"] === true) converted["exclusiveMaximum"] = value;
    else if (key === "id" && typeof value === "string") converted["$id"] = value;
    else converted[key] = values.has(key) ? value : asDraft7(value, names.has(key));
  }
  return converted;
}

/** Matches keywords that name a schema or a part of it. */
const named = /"(?:\$?id|\$anchor|\$dynamicAnchor|\$recursiveAnchor)"/;

/** Maximum number of schemas that one validator compiles before a new one replaces it, because a validator retains data of each schema. */
const MOST_SHARED = 200;
const shared = new Map<string, { readonly engine: Ajv; compiled: number }>();

/**
 * Compiles a schema with a validator that several schemas share, because a new validator takes 15 ms to compile the schema of its draft.
 */
function compiledByShared(schema: SchemaText, current: SchemaText, given: Options): ValidateFunction {
  const { $schema: draft } = schema;
  const key = `${given.allErrors} ${typeof draft === "string" ? draft : ""}`;
  let found = shared.get(key);
  if (found === undefined || found.compiled >= MOST_SHARED) {
    if (shared.size >= MOST_ENGINES) shared.clear();
    found = { engine: engineFor(schema, given), compiled: 0 };
    shared.set(key, found);
  }
  found.compiled++;
  try {
    return found.engine.compile(current);
  } finally {
    found.engine.removeSchema(current);
  }
}

/** Maximum number of shared validators. Each combination of a `$schema` text and the option `allErrors` has its own validator. */
const MOST_ENGINES = 16;

/** Creates a validator for the schema's draft. A schema with names has its own validator, because two specs can use the same `$id`. */
function engineFor(schema: SchemaText, given: Options): Ajv {
  const draft = typeof schema["$schema"] === "string" ? schema["$schema"] : "";
  const engine = /draft-0[4-7]/.test(draft)
    ? new Ajv(given)
    : draft.includes("2019-09")
      ? new Ajv2019(given)
      : new Ajv2020(given);
  formats(engine);
  engine.removeKeyword("multipleOf");
  engine.addKeyword({
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    validate: (step: number, value: number) => isMultipleOf(value, step),
    error: { message: ({ schemaCode }) => str`must be multiple of ${schemaCode}` },
  });
  return engine;
}

/** Function of the package `ajv-formats`: the module itself or its `default`, depending on the loader. */
const formats = (
  typeof addFormats === "function" ? addFormats : (addFormats as { default: unknown }).default
) as (engine: Ajv) => unknown;

/** Returns an RE2 pattern. `toString` returns the source, by which the validator distinguishes patterns. */
function linear(source: string): { test(text: string): boolean; toString(): string } {
  const compiled = compilePattern(source, { language: "javascript" });
  if (!compiled.ok) throw new Error(`pattern ${JSON.stringify(source)}: ${compiled.problem.message}`);
  const { pattern } = compiled;
  return { test: (text) => pattern.test(text), toString: () => source };
}

const options: Options = {
  strict: false,
  allErrors: false,
  validateFormats: true,
  // Without this option, every object would have the properties `constructor` and `toString`.
  ownProperties: true,
  logger: false,
  code: { regExp: Object.assign(linear, { code: "linear" }) },
};
