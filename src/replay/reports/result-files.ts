import { createReadStream, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { InvalidInput } from "../../report/render/json/result.ts";
import {
  type ResultJson,
  resultSchema,
  type VerdictJson,
  verdictSchema,
} from "../../report/json/verdict-schema.ts";
import { type Reliability, reliabilitySchema } from "../../evaluate/query/blocks.ts";
import { UserError } from "../../support/process/exit-code.ts";
import { documentBounds, isObject, type JsonValue, parseJson } from "../../model/json.ts";

export interface ReadVerdicts {
  /** Verdicts, each in its newest revision. */
  readonly verdicts: readonly VerdictJson[];
  /** Reliability gates in results. */
  readonly gates: readonly WrittenGate[];
  readonly invalid: readonly InvalidInput[];
}

/** The `reliability:` of a query, as the result of `test` contains it. */
export interface WrittenGate {
  readonly spec: string;
  readonly queryId: string;
  readonly reliability: Reliability;
}

/** Reads files with verdicts. */
export async function readVerdicts(files: readonly string[]): Promise<ReadVerdicts> {
  const newest = new Map<string, VerdictJson>();
  const invalid: InvalidInput[] = [];
  const gates: WrittenGate[] = [];
  const take = (verdict: VerdictJson): void => {
    const known = newest.get(verdict.verdict_id);
    if (known === undefined || known.revision <= verdict.revision) newest.set(verdict.verdict_id, verdict);
  };
  for (const file of files) {
    for await (const { line, value } of documents(file)) {
      const read = verdictsIn(value);
      if (typeof read === "string") invalid.push({ file, line, reason: read });
      else {
        read.verdicts.forEach(take);
        gates.push(...read.gates);
      }
    }
  }
  return { verdicts: [...newest.values()], gates, invalid };
}

interface Document {
  readonly line: number | null;
  readonly value: JsonValue | undefined;
}

/** Yields one JSON document on each line, or the whole file as one. */
async function* documents(file: string): AsyncGenerator<Document> {
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    line++;
    if (text.trim() === "") continue;
    const value = parseJson(text, documentBounds);
    if (value === undefined && line === 1) {
      yield { line: null, value: parseJson(readFileSync(file, "utf8"), documentBounds) };
      return;
    }
    yield { line, value };
  }
}

/** Returns the verdicts of a document; the error as text if there are none. */
function verdictsIn(
  value: JsonValue | undefined,
): { readonly verdicts: readonly VerdictJson[]; readonly gates: readonly WrittenGate[] } | string {
  if (value === undefined) return "is no JSON";
  const whole = isObject(value) && "verdicts" in value;
  const read = whole ? resultSchema.safeParse(value) : verdictSchema.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    return `is no ${whole ? "result of test" : "verdict"}: ${issue?.path.map(String).join(".") ?? ""}: ${issue?.message ?? ""}`;
  }
  if (!("verdicts" in read.data)) return { verdicts: [read.data], gates: [] };
  return { verdicts: read.data.verdicts, gates: read.data.groups.flatMap(gateOf) };
}

function gateOf({ spec, query_id: queryId, reliability }: ResultJson["groups"][number]): WrittenGate[] {
  const read = reliabilitySchema.safeParse(reliability);
  return read.success ? [{ spec, queryId, reliability: read.data }] : [];
}

/**
 * Reads one saved result of `test --format json`.
 * @throws UserError if the file is not a result
 */
export function readResult(file: string): ResultJson {
  const value = parseJson(textOf(file), documentBounds);
  const read = resultSchema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.map(String).join(".")}: `;
  const why = value === undefined ? "it has no JSON" : `${where}${issue?.message ?? ""}`;
  throw new UserError(
    `${file} is not a result of test: ${why}`,
    "write one with: tracejury test DUMP --spec FILE --output json=result.json",
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UserError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
