import { fisherExact } from "../tests/fisher.ts";
import { mannWhitney } from "../tests/mann-whitney.ts";
import { holm } from "../tests/multiple-testing.ts";
import { median } from "../samples/quantiles.ts";
import { append } from "../../../support/structures/group-by.ts";

/** Properties of a run that `drift` compares. Unknown properties are null. */
export interface DriftRun {
  readonly runId: string;
  readonly tools: readonly string[] | null;
  /** Hand-offs of the run, each as `from → to`. */
  readonly handoffs: readonly string[];
  /** Length of the answer in characters. */
  readonly answerLength: number | null;
  readonly isRefusal: boolean | null;
  /** Error of the run; null for a run without an error. */
  readonly error: string | null;
  readonly totalTokens: number | null;
  readonly durationMs: number;
}

/** Change of one measure between all runs of both periods. The values are shares or medians. */
export interface DriftMeasure {
  readonly measure: "errors" | "refusals" | "answer_length" | "tool_calls" | "total_tokens" | "latency_ms";
  readonly scale: "share" | "median";
  /** Value of the reference period; null if no run has the value. */
  readonly before: number | null;
  readonly after: number | null;
  /** Two-sided p-value after Holm's correction for all measures; null if one period has no values. */
  readonly p: number | null;
}

/** Frequency of a tool sequence, tool, hand-off or error in both periods. */
export interface DriftPattern {
  readonly kind: "tool_sequence" | "tool" | "handoff" | "error";
  readonly name: string;
  readonly runsBefore: number;
  readonly runsAfter: number;
  readonly shareBefore: number;
  readonly shareAfter: number;
  /** Two-sided p-value after Holm's correction for all patterns of the same kind. */
  readonly p: number;
  /**
   * Ids of example runs with the pattern. The examples are later runs or, if no later run has the pattern,
   * earlier runs.
   */
  readonly exampleRunIds: readonly string[];
}

export interface Drift {
  readonly runsBefore: number;
  readonly runsAfter: number;
  readonly measures: readonly DriftMeasure[];
  /** Patterns with a significant change of frequency, largest change first. */
  readonly patterns: readonly DriftPattern[];
  /** Number of patterns that no run of the reference period has, and whose change is not significant. */
  readonly rarelySeen: number;
}

export const DRIFT_SIGNIFICANCE = 0.01;
const EXAMPLES = 3;
/** Maximum number of patterns of one kind. The most frequent patterns are compared. */
const MOST_PATTERNS = 200;

export function driftOf(before: readonly DriftRun[], after: readonly DriftRun[]): Drift {
  const kinds = (Object.keys(patternsOf) as DriftPattern["kind"][]).map((kind) =>
    patternsOfKind(kind, before, after),
  );
  const tools = new Map(kinds.flat().flatMap((one) => (one.kind === "tool" ? [[one.name, one]] : [])));
  // A sequence of one tool is left out if the tool itself has the same frequencies, because the sequence adds
  // no information.
  const patterns = kinds.flat().filter(({ kind, name, runsBefore, runsAfter }) => {
    const tool = kind === "tool_sequence" ? tools.get(name) : undefined;
    return tool?.runsBefore !== runsBefore || tool.runsAfter !== runsAfter;
  });
  return {
    runsBefore: before.length,
    runsAfter: after.length,
    measures: measuresOf(before, after),
    patterns: patterns
      .filter(({ p }) => p <= DRIFT_SIGNIFICANCE)
      .toSorted((a, b) => changeOf(b) - changeOf(a) || (a.name < b.name ? -1 : 1)),
    rarelySeen: patterns.filter(({ p, runsBefore }) => p > DRIFT_SIGNIFICANCE && runsBefore === 0).length,
  };
}

const shares: Partial<Record<DriftMeasure["measure"], (run: DriftRun) => boolean | null>> = {
  errors: ({ error }) => error !== null,
  refusals: ({ isRefusal }) => isRefusal,
};
const amounts: Partial<Record<DriftMeasure["measure"], (run: DriftRun) => number | null>> = {
  answer_length: ({ answerLength }) => answerLength,
  tool_calls: ({ tools }) => tools?.length ?? null,
  total_tokens: ({ totalTokens }) => totalTokens,
  latency_ms: ({ durationMs }) => durationMs,
};

function measuresOf(before: readonly DriftRun[], after: readonly DriftRun[]): DriftMeasure[] {
  const known = <Value>(runs: readonly DriftRun[], of: (run: DriftRun) => Value | null): Value[] =>
    runs.flatMap((run) => of(run) ?? []);
  const ofShares = Object.entries(shares).map(([measure, of]): DriftMeasure => {
    const [a, b] = [known(before, of), known(after, of)];
    const [inA, inB] = [a.filter(Boolean).length, b.filter(Boolean).length];
    const p = fisherExact([
      [inA, a.length - inA],
      [inB, b.length - inB],
    ]);
    const share = (count: number, of: number): number | null => (of === 0 ? null : count / of);
    const isShown = a.length > 0 && b.length > 0;
    return {
      measure: measure as DriftMeasure["measure"],
      scale: "share",
      before: share(inA, a.length),
      after: share(inB, b.length),
      p: isShown ? p : null,
    };
  });
  const ofAmounts = Object.entries(amounts).map(([measure, of]): DriftMeasure => {
    const [a, b] = [known(before, of), known(after, of)];
    return {
      measure: measure as DriftMeasure["measure"],
      scale: "median",
      before: median(a),
      after: median(b),
      p: mannWhitney(a, b)?.p ?? null,
    };
  });
  return corrected([...ofShares, ...ofAmounts]);
}

function corrected(measures: readonly DriftMeasure[]): DriftMeasure[] {
  const tested = measures.filter(({ p }) => p !== null);
  const adjusted = holm(tested.map(({ p }) => p ?? 1));
  return measures.map((one) =>
    one.p === null ? one : { ...one, p: adjusted[tested.indexOf(one)] ?? one.p },
  );
}

/**
 * Returns the tool sequence, the tools, the hand-offs or the errors of a run, by the kind of pattern; null if
 * the telemetry lacks the values.
 */
const patternsOf: Record<DriftPattern["kind"], (run: DriftRun) => readonly string[] | null> = {
  tool_sequence: ({ tools }) => (tools === null ? null : [sequenceOf(tools)]),
  tool: ({ tools }) => tools && [...new Set(tools)],
  handoff: ({ handoffs }) => [...new Set(handoffs)],
  error: ({ error }) => (error === null ? [] : [error.replaceAll(/\d+/g, "#").slice(0, 200)]),
};

/**
 * Returns the names of the called tools as a text. Consecutive calls of one tool count as one call, so that
 * three searches and four searches are equal.
 */
function sequenceOf(tools: readonly string[]): string {
  const steps = tools.filter((name, at) => name !== tools[at - 1]);
  return steps.length === 0
    ? "(no tool)"
    : steps.slice(0, 20).join(" → ") + (steps.length > 20 ? " → …" : "");
}

function patternsOfKind(
  kind: DriftPattern["kind"],
  before: readonly DriftRun[],
  after: readonly DriftRun[],
): DriftPattern[] {
  const [a, b] = [runIdsByPattern(kind, before), runIdsByPattern(kind, after)];
  const names = [...new Set([...a.runIds.keys(), ...b.runIds.keys()])];
  const many = (name: string): number =>
    (a.runIds.get(name)?.length ?? 0) + (b.runIds.get(name)?.length ?? 0);
  const patterns = names
    .toSorted((one, other) => many(other) - many(one) || (one < other ? -1 : 1))
    .slice(0, MOST_PATTERNS)
    .map((name) => {
      const [inA, inB] = [a.runIds.get(name) ?? [], b.runIds.get(name) ?? []];
      const p = fisherExact([
        [inA.length, a.known - inA.length],
        [inB.length, b.known - inB.length],
      ]);
      return {
        kind,
        name,
        runsBefore: inA.length,
        runsAfter: inB.length,
        shareBefore: a.known === 0 ? 0 : inA.length / a.known,
        shareAfter: b.known === 0 ? 0 : inB.length / b.known,
        p,
        exampleRunIds: (inB.length > 0 ? inB : inA).toSorted().slice(0, EXAMPLES),
      };
    });
  const adjusted = holm(patterns.map(({ p }) => p));
  return patterns.map((pattern, at) => ({ ...pattern, p: adjusted[at] ?? pattern.p }));
}

function runIdsByPattern(
  kind: DriftPattern["kind"],
  runs: readonly DriftRun[],
): { readonly known: number; readonly runIds: ReadonlyMap<string, readonly string[]> } {
  const runIds = new Map<string, string[]>();
  let known = 0;
  for (const run of runs) {
    const patterns = patternsOf[kind](run);
    if (patterns === null) continue;
    known++;
    for (const name of patterns) append(runIds, name, run.runId);
  }
  return { known, runIds };
}

function changeOf({ shareBefore, shareAfter }: DriftPattern): number {
  return Math.abs(shareAfter - shareBefore);
}
