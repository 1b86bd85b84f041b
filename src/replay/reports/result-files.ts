import { append } from "../../support/structures/long-lists.ts";
import { createReadStream, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { InvalidInput } from "../../report/render/json/result.ts";
import {
  type ResultJson,
  resultSchema,
  type VerdictJson,
  verdictSchema,
} from "../../report/json/verdict-schema.ts";
import { isNewer, savedGates } from "../../report/render/findings/saved-results.ts";
import type { GatedQuery } from "../../report/render/report/gated-groups.ts";
import { UserError } from "../../support/process/io.ts";
import { documentBounds, isObject, type JsonValue, parseJson } from "../../model/json.ts";

export interface ReadVerdicts {
  /** Verdicts, each in its newest revision. */
  readonly verdicts: readonly VerdictJson[];
  /** Reliability gates in the results, including the gates of queries without a run. */
  readonly gates: readonly GatedQuery[];
  /** Ids of runs that several queries match. */
  readonly ambiguous: ReadonlySet<string>;
  /** Documents that cannot be read, and the invalid input that the results list. */
  readonly invalid: readonly InvalidInput[];
}

/** Reads saved verdicts and results. Returns the newest revision of each verdict. */
export async function readVerdicts(files: readonly string[]): Promise<ReadVerdicts> {
  const newest = new Map<string, VerdictJson>();
  const invalid: InvalidInput[] = [];
  const gates: GatedQuery[] = [];
  const ambiguous = new Set<string>();
  const take = (verdict: VerdictJson): void => {
    const known = newest.get(verdict.verdict_id);
    if (known === undefined || isNewer(verdict, known)) newest.set(verdict.verdict_id, verdict);
  };
  for (const file of files) {
    for await (const { line, value } of documents(file)) {
      const read = verdictsIn(value);
      if (typeof read === "string") invalid.push({ file, line, reason: read });
      else {
        read.verdicts.forEach(take);
        if (read.result === undefined) continue;
        append(gates, savedGates(read.result));
        for (const { run_id: runId } of read.result.ambiguous) ambiguous.add(runId);
        append(invalid, read.result.invalid_input);
      }
    }
  }
  return { verdicts: [...newest.values()], gates, ambiguous, invalid };
}

interface Document {
  readonly line: number | null;
  readonly value: JsonValue | undefined;
}

/** Yields the JSON document of each line; if the first line with text is not JSON, yields the complete file as one document. */
async function* documents(file: string): AsyncGenerator<Document> {
  let line = 0;
  let isFirst = true;
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    line++;
    if (text.trim() === "") continue;
    const value = parseJson(text, documentBounds);
    if (value === undefined && isFirst) {
      yield { line: null, value: parseJson(readFileSync(file, "utf8"), documentBounds) };
      return;
    }
    isFirst = false;
    yield { line, value };
  }
}

/**
 * Returns the verdicts of a document, with the result that contains them. Returns an error message if the document contains no verdicts.
 */
function verdictsIn(
  value: JsonValue | undefined,
): { readonly verdicts: readonly VerdictJson[]; readonly result?: ResultJson } | string {
  if (value === undefined) return "is not JSON";
  const whole = isObject(value) && "verdicts" in value;
  const read = whole ? resultSchema.safeParse(value) : verdictSchema.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    return `is not ${whole ? "a result of test" : "a verdict"}: ${issue?.path.map(String).join(".") ?? ""}: ${issue?.message ?? ""}`;
  }
  return "verdicts" in read.data
    ? { verdicts: read.data.verdicts, result: read.data }
    : { verdicts: [read.data] };
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
  const why = value === undefined ? "the file is not JSON" : `${where}${issue?.message ?? ""}`;
  throw new UserError(
    `${file} is not a result of test: ${why}`,
    "write a result with: tracejury test DUMP --spec FILE --output json=result.json",
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UserError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
