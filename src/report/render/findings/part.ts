import { z } from "zod";
import { documentBounds, type JsonValue, parseJson } from "../../../model/json.ts";
import { spendOf } from "./saved-results.ts";
import { factsOf, type ReportedRun, type ReportedVerdict } from "./reported.ts";
import type { Findings } from "../json/result.ts";
import { verdictSchema } from "../../json/verdict-schema.ts";

/*
 * A part file contains the findings of one shard of `test --shard`. Each shard judges a share of the runs of
 * the same input. The file consists of JSON lines: a head, one line for each finding, and an end line with
 * the number of findings. Without the end line, the file is incomplete.
 */

/** Findings of one shard of `test --shard`. */
export interface Part {
  readonly index: number;
  readonly count: number;
  /** Number of runs in the whole input, including the runs of other shards. */
  readonly seen: number;
  readonly findings: Findings;
}

/** Yields the lines of a part file. Each line ends with a line feed. */
export function* partLines({ index, count, seen, findings }: Part): Generator<string> {
  const { verdicts, unmatched, ambiguous, agentCalls: _, tally: __, ...head } = findings;
  yield line({ tracejury_part: 1, index, count, seen, ...head });
  for (const found of verdicts) {
    const { place, ...others } = factsOf(found);
    yield line({ verdict: { place, verdict: found.verdict, ...others } });
  }
  for (const run of unmatched) yield line({ unmatched: run });
  for (const run of ambiguous) yield line({ ambiguous: run });
  yield line({ end: verdicts.length + unmatched.length + ambiguous.length });
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

const count = z.int().min(0);
const head = z.looseObject({
  tracejury_part: z.literal(1),
  index: z.int().min(1),
  count: z.int().min(1),
  seen: count,
  version: z.string(),
  specs: z.array(z.strictObject({ file: z.string(), hash: z.string(), agent: z.string() })),
  runs: count,
  queries: count,
  missing: z.array(z.looseObject({ queryId: z.string(), query: z.string(), spec: z.string() })),
  invalidInput: z.array(z.strictObject({ file: z.string(), line: z.int().nullable(), reason: z.string() })),
  gated: z.array(z.looseObject({ spec: z.string(), queryId: z.string() })).exactOptional(),
});
const place = z.strictObject({ startUnixMs: z.number(), traceId: z.string(), spanId: z.string() });
const run = z.looseObject({
  place,
  traceId: z.string(),
  runId: z.string(),
  query: z.string().nullable(),
  spec: z.string(),
  reason: z.string(),
  candidates: z.array(z.string()),
});
const found = z.union([
  z.strictObject({
    verdict: z.looseObject({
      place,
      verdict: verdictSchema,
      tools: z.array(z.string().nullable()),
      handoffs: z.array(z.string()),
      answer: z.string().nullable(),
    }),
  }),
  z.strictObject({ unmatched: run }),
  z.strictObject({ ambiguous: run }),
  z.strictObject({ end: count }),
]);

/** Kinds of findings that a part file lists one by one. */
export type RunFindings = "verdicts" | "unmatched" | "ambiguous";

/** A part file without its list of findings. */
export interface PartHead extends Omit<Part, "findings"> {
  readonly findings: Omit<Findings, RunFindings>;
}

type Kind = "verdict" | "unmatched" | "ambiguous";

/** Receives the findings of a part file one by one. */
export interface FindingsSink {
  readonly verdict: (found: ReportedVerdict) => void;
  readonly unmatched: (found: ReportedRun) => void;
  readonly ambiguous: (found: ReportedRun) => void;
}

/** Reads the lines of a part file, and passes each valid finding to the sink unchanged. */
export class PartReader {
  readonly #sink: FindingsSink;
  #head: z.infer<typeof head> | undefined;
  #ended = false;
  #taken = 0;

  constructor(sink: FindingsSink) {
    this.#sink = sink;
  }

  /** Reads the next line. Returns an error message if the line is invalid, otherwise undefined. */
  take(text: string): string | undefined {
    const value = parseJson(text, documentBounds);
    if (value === undefined) return "is not JSON";
    if (this.#head === undefined) return this.#takeHead(value);
    const read = found.safeParse(value);
    if (!read.success) return "is not a finding as test --shard writes it";
    if (this.#ended) return "is after the end line of the part";
    if ("end" in read.data) return this.#takeEnd(read.data.end);
    for (const [kind, content] of Object.entries(value as Record<Kind, JsonValue>)) {
      this.#sink[kind as Kind](content as unknown as ReportedVerdict & ReportedRun);
      this.#taken++;
    }
    return undefined;
  }

  /** Returns the head of the part file. Returns an error message if the file is empty or incomplete. */
  part(): PartHead | string {
    if (this.#head === undefined) return "is empty";
    if (!this.#ended) return "is incomplete: its last line is missing";
    const { tracejury_part: _, index, count: shares, seen, ...rest } = this.#head;
    return { index, count: shares, seen, findings: rest as unknown as PartHead["findings"] };
  }

  #takeHead(value: JsonValue): string | undefined {
    const read = head.safeParse(value);
    if (!read.success) return "is not the first line of a part that test --shard wrote";
    this.#head = value as unknown as z.infer<typeof head>;
    return undefined;
  }

  #takeEnd(written: number): string | undefined {
    if (written !== this.#taken) return `has ${this.#taken} findings, but its last line counts ${written}`;
    this.#ended = true;
    return undefined;
  }
}

/**
 * Merges the heads of all part files of one input. Returns an error message if a part is missing or repeated,
 * or if parts come from different input, specs, queries or versions.
 */
export function mergeParts(parts: readonly PartHead[]): PartHead["findings"] | string {
  const [first] = parts;
  if (first === undefined) return "there is no part";
  const problem = mismatchOf(first, parts);
  if (problem !== undefined) return problem;
  // A query counts as missing only if every part lists the query as missing.
  const having = parts.map(({ findings }) => new Set(findings.missing.map(placeOf)));
  return {
    ...first.findings,
    ...spendOf(parts.map(({ findings: { judging } }) => judging)),
    runs: parts.reduce((sum, { findings }) => sum + findings.runs, 0),
    missing: first.findings.missing.filter((query) => having.every((missing) => missing.has(placeOf(query)))),
  };
}

function placeOf({ spec, queryId }: { readonly spec: string; readonly queryId: string }): string {
  return JSON.stringify([spec, queryId]);
}

function mismatchOf(first: PartHead, parts: readonly PartHead[]): string | undefined {
  const given = parts.map(({ index }) => index);
  const wanted = Array.from({ length: first.count }, (_, at) => at + 1);
  if (parts.some(({ count: shares }) => shares !== first.count))
    return "the parts have different numbers of shards";
  const twice = given.find((index, at) => given.indexOf(index) !== at);
  if (twice !== undefined) return `shard ${twice} of ${first.count} occurs twice`;
  const missing = wanted.filter((index) => !given.includes(index));
  if (missing.length > 0) {
    return `of ${first.count} shards, these are missing: ${missing.slice(0, 20).join(", ")}`;
  }
  const basis = ({ seen, findings: { version, specs, queries, invalidInput, gated } }: PartHead): string =>
    JSON.stringify([seen, version, specs, queries, invalidInput, gated ?? null]);
  const other = parts.find((part) => basis(part) !== basis(first));
  if (other === undefined) return undefined;
  return `shards ${first.index} and ${other.index} come from different input, specs, queries or versions`;
}
