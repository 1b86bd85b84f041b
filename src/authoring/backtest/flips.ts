import { type Outcome, checksOf } from "../../model/outcome.ts";
import type { AgentRun } from "../../model/run.ts";
import type { CheckResult, SourcePosition, Unjudged, Verdict } from "../../model/verdict.ts";

/** Outcome of a run under one spec, or why the run has no verdict. */
export type Fate = Outcome | "unmatched" | "ambiguous";

export interface RunFate {
  readonly fate: Fate;
  /** Id of the query that the run matched. Null without a verdict. */
  readonly queryId: string | null;
}

/** A check whose outcome changed. `before` or `after` is null if that version of the spec lacks the check. */
export interface CheckFlip {
  readonly layer: string;
  readonly check: string;
  readonly before: Outcome | null;
  readonly after: Outcome | null;
  /** Message of the check under the new spec. If the new spec lacks the check: its message under the old spec. */
  readonly message: string;
  readonly source: SourcePosition | null;
}

/** A run whose outcome is different under the changed spec. */
export interface Flip {
  readonly spec: string;
  readonly runId: string;
  readonly traceId: string;
  readonly query: string | null;
  readonly startUnixMs: number;
  readonly before: RunFate;
  readonly after: RunFate;
  readonly checks: readonly CheckFlip[];
}

export interface Judgement {
  readonly verdict: Verdict | undefined;
  readonly ambiguous: Unjudged | undefined;
}

/**
 * Returns how a run's result changed. Returns null if both outcomes are equal, even if the matched queries
 * differ.
 */
export function flipOf(spec: string, run: AgentRun, before: Judgement, after: Judgement): Flip | null {
  const old = fateOf(before);
  const now = fateOf(after);
  if (old.fate === now.fate) return null;
  return {
    spec,
    runId: run.runId,
    traceId: run.traceId,
    query: run.query,
    startUnixMs: run.startUnixMs,
    before: old,
    after: now,
    checks: checkFlips(before.verdict, after.verdict),
  };
}

function fateOf({ verdict, ambiguous }: Judgement): RunFate {
  if (verdict !== undefined) return { fate: verdict.outcome, queryId: verdict.queryId };
  return { fate: ambiguous === undefined ? "unmatched" : "ambiguous", queryId: null };
}

function checkFlips(before: Verdict | undefined, after: Verdict | undefined): readonly CheckFlip[] {
  const old = checksByKey(before);
  const now = checksByKey(after);
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((key) => {
    const left = old.get(key);
    const right = now.get(key);
    const shown = right ?? left;
    if (shown === undefined || left?.outcome === right?.outcome) return [];
    const { layer, check, message, source } = shown;
    return [{ layer, check, before: left?.outcome ?? null, after: right?.outcome ?? null, message, source }];
  });
}

/** Returns the checks of a verdict by key: layer, name, and number among the checks of that name. */
function checksByKey(verdict: Verdict | undefined): ReadonlyMap<string, CheckResult> {
  const found = new Map<string, CheckResult>();
  if (verdict === undefined) return found;
  for (const result of checksOf(verdict)) {
    let number = 0;
    const key = (): string => JSON.stringify([result.layer, result.check, number]);
    while (found.has(key())) number++;
    found.set(key(), result);
  }
  return found;
}

/** Whether a run fails under the changed spec, and did not fail under the old spec. */
export function isWorse({ before, after }: Flip): boolean {
  return after.fate === "fail" && before.fate !== "fail";
}

export interface BacktestReport {
  /** File and hash of each spec. */
  readonly base: readonly SpecName[];
  readonly spec: readonly SpecName[];
  readonly runs: number;
  /** Number of runs that have a verdict under the old or the new spec. */
  readonly judged: number;
  /** Changes in the order of the runs. */
  readonly flips: readonly Flip[];
  /** Queries of the changed specs that no run matches. */
  readonly missing: readonly string[];
}

export interface SpecName {
  readonly file: string;
  readonly hash: string;
}

/** Returns how often each change occurs, such as `pass → fail`, most frequent first. */
export function countFlips(
  flips: readonly Flip[],
): readonly (readonly [from: Fate, to: Fate, count: number])[] {
  const counts = new Map<string, [Fate, Fate, number]>();
  for (const { before, after } of flips) {
    const key = `${before.fate} ${after.fate}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, [before.fate, after.fate, 1]);
    else known[2]++;
  }
  return [...counts.values()].sort((a, b) => b[2] - a[2] || (`${a[0]} ${a[1]}` < `${b[0]} ${b[1]}` ? -1 : 1));
}
