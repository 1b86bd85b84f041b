import { append } from "../../../support/structures/long-lists.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";
import { isJaegerTrace, jaegerSpans } from "./jaeger.ts";
import { isLangfuseObservation, langfuseSpan } from "./langfuse.ts";
import { clickhouseSpan, isClickhouseSpan } from "./clickhouse.ts";
import { isMlflowSpan, mlflowSpan } from "./mlflow.ts";
import { documentOfSpans, isOtlpDocument, isOtlpSpan, plainDocument } from "./otlp-like.ts";
import { isPhoenixSpan, phoenixSpan } from "./phoenix.ts";
import { parseStored } from "./parse-stored.ts";
import { isSdkLog, isSdkSpan, sdkLog, sdkSpan } from "./sdk-record.ts";
import { otlpDocuments, problemOf, shown, type StoredSpan } from "./stored-span.ts";
import { wordList } from "../../../support/structures/word-list.ts";

/** A part of a store's export that cannot be converted. `line` counts from 1. */
export interface StoredInvalid {
  readonly line: number;
  readonly reason: string;
}

export interface Converted {
  /** Converted OTLP/JSON documents. */
  readonly documents: readonly JsonObject[];
  readonly invalid: readonly StoredInvalid[];
}

/** Names of fields in which stores wrap their spans. If the field is a list, it may have any name. */
const wrappers: ReadonlySet<string> = new Set(
  wordList("data trace result traces spans observations items events message @message raw_otel_json"),
);
const DEEPEST = 8;

/**
 * Converts the text of a store's export into OTLP. The text is one JSON document, or a sequence of documents, each on a line or indented.
 * Returns undefined if the text has no known format.
 */
export function convertDump(text: string): Converted | undefined {
  const collector = new Collector();
  const whole = parseStored(text.replace(/^\ufeff/, ""));
  if (whole !== undefined) collector.take(whole, 1);
  else {
    for (const { document, line } of documentsOf(text.replace(/^\ufeff/, ""))) {
      const value = parseStored(document);
      if (value === undefined) collector.refuse("is not JSON", line);
      else collector.take(value, line);
    }
  }
  return collector.converted();
}

/**
 * Splits a text into documents, each a line or an indented block. A block is a lone opening bracket, the indented lines after it, and the
 * closing bracket.
 */
function* documentsOf(text: string): Generator<{ readonly document: string; readonly line: number }> {
  let open: string[] = [];
  let begin = 0;
  for (const [at, line] of [...text.split(/\r?\n/), ""].entries()) {
    if (open.length > 0 && (line === "}" || !/^\s/.test(line))) {
      yield { document: [...open, line === "}" ? line : ""].join("\n"), line: begin };
      open = [];
      if (line === "}") continue;
    }
    if (line === "{") begin = at + 1;
    if (line === "{" || open.length > 0) open.push(line);
    else if (line.trim() !== "") yield { document: line, line: at + 1 };
  }
}

/**
 * Converts responses of a store's API into OTLP. A response may contain no spans. For an invalid part, `line` is the number of the
 * response, from 1.
 */
export function convertAnswers(answers: readonly JsonValue[]): Converted {
  const collector = new Collector();
  for (const [at, answer] of answers.entries()) collector.takeAny(answer, at + 1);
  return collector.converted() ?? { documents: [], invalid: [] };
}

class Collector {
  readonly #documents: JsonObject[] = [];
  readonly #flat: JsonObject[] = [];
  readonly #spans: StoredSpan[] = [];
  readonly #invalid: StoredInvalid[] = [];
  #unended = 0;
  #line = 1;
  #known = false;

  take(value: JsonValue, line: number): void {
    if (!this.takeAny(value, line))
      this.refuse(
        "the document contains no trace of Jaeger, Tempo, Phoenix, Langfuse, MLflow or ClickHouse, and no span of an SDK",
        line,
      );
  }

  /** Converts a value. Returns whether the value has a known format. */
  takeAny(value: JsonValue, line: number): boolean {
    this.#line = line;
    const before = this.#found();
    this.#walk(value, {}, 0);
    const isKnown = this.#found() > before;
    this.#known ||= isKnown;
    return isKnown;
  }

  refuse(reason: string, line = this.#line): void {
    this.#invalid.push({ line, reason });
  }

  converted(): Converted | undefined {
    if (!this.#known) return undefined;
    const flat = this.#flat.length === 0 ? [] : [documentOfSpans(this.#flat)];
    const documents = [...this.#documents, ...flat, ...otlpDocuments(this.#spans)];
    return { documents, invalid: this.#invalid };
  }

  #found(): number {
    const converted = this.#documents.length + this.#flat.length + this.#spans.length;
    return converted + this.#unended + this.#invalid.length;
  }

  /** @param trace the enclosing trace of Langfuse or MLflow */
  #walk(value: JsonValue, trace: JsonObject, depth: number): void {
    if (depth > DEEPEST) return;
    if (isArray(value)) for (const one of value) this.#walk(one, trace, depth + 1);
    if (!isObject(value)) return;
    if (isOtlpDocument(value)) this.#documents.push(plainDocument(value));
    else if (isJaegerTrace(value))
      append(
        this.#spans,
        jaegerSpans(value, (problem) => this.refuse(problem)),
      );
    else if (isClickhouseSpan(value)) this.#keep(value, () => clickhouseSpan(value));
    else if (isMlflowSpan(value)) this.#keep(value, () => mlflowSpan(value, trace));
    else if (isSdkSpan(value)) this.#keep(value, () => sdkSpan(value));
    else if (isSdkLog(value)) this.#guard(value, () => this.#documents.push(sdkLog(value)));
    else if (isOtlpSpan(value)) this.#flat.push(value);
    else if (isPhoenixSpan(value)) this.#keep(value, () => phoenixSpan(value));
    else if (isLangfuseObservation(value)) this.#keep(value, () => langfuseSpan(value, trace));
    else this.#unwrap(value, trace, depth);
  }

  #unwrap(value: JsonObject, trace: JsonObject, depth: number): void {
    const { observations, id } = value;
    const own = isArray(observations)
      ? isObject(value["trace"])
        ? value["trace"]
        : value
      : isObject(value["trace_info"] ?? value["info"])
        ? value
        : trace;
    if (isArray(observations) && observations.some((one) => typeof one === "string")) {
      this.refuse(
        `trace ${shown(id).slice(0, 40)} contains only the ids of its observations: export the trace with its observations`,
      );
    }
    for (const [name, field] of Object.entries(value)) {
      // In a Langfuse observation list, `trace` describes the trace and contains no spans.
      if (field === null || (name === "trace" && isArray(observations))) continue;
      if (wrappers.has(name) || isArray(field)) this.#walk(innerOf(field), own, depth + 1);
    }
  }

  #keep(record: JsonObject, make: () => StoredSpan | undefined): void {
    this.#guard(record, () => {
      const span = make();
      if (span === undefined) this.#unended++;
      else this.#spans.push(span);
    });
  }

  /** Reports a record that cannot be converted. */
  #guard(record: JsonObject, convert: () => void): void {
    try {
      convert();
    } catch (error) {
      const id = record["id"] ?? record["name"];
      this.refuse(`${typeof id === "string" ? `${id.slice(0, 60)}: ` : ""}${problemOf(error)}`);
    }
  }
}

/** Returns a value with JSON text parsed. CloudWatch's API returns the text of a log message, which may be JSON. */
function innerOf(value: JsonValue): JsonValue {
  return typeof value === "string" && /^\s*\{/.test(value) ? (parseStored(value) ?? value) : value;
}
