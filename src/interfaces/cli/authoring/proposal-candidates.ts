import { normaliseText } from "../../../match/rules/normalise.ts";
import type { AgentRun } from "../../../model/run.ts";
import type { JudgedRun } from "../../../pipeline/judge-run.ts";

/** Why a test for the run is useful: the run has a problem, or matches no query. */
export type CandidateReason = "failed" | "error" | "warned" | "unmatched";

export interface Candidate {
  readonly judged: JudgedRun;
  readonly reason: CandidateReason;
  /** A correct run of the same query. Undefined if none is known. */
  readonly good: AgentRun | undefined;
  /** Number of other candidates with the same query text, which are not proposed. */
  readonly others: number;
}

const order: readonly CandidateReason[] = ["failed", "error", "warned", "unmatched"];

/**
 * Returns one candidate for each query text: the first run with the worst reason, which is a failure, an error, a warning, or no matching
 * query. Candidates are ordered by reason, worst first.
 */
export function candidatesOf(judged: readonly JudgedRun[]): readonly Candidate[] {
  const byText = new Map<
    string,
    { readonly bad: [JudgedRun, CandidateReason][]; readonly good: AgentRun[] }
  >();
  for (const one of judged) {
    if (one.run.query === null) continue;
    const text = normaliseText(one.run.query);
    const group = byText.get(text) ?? { bad: [], good: [] };
    byText.set(text, group);
    const reason = reasonOf(one);
    if (reason !== null) group.bad.push([one, reason]);
    if (isGood(one)) group.good.push(one.run);
  }
  const found = [...byText.values()].flatMap(({ bad, good }): Candidate[] => {
    const [worst] = bad.toSorted(([, a], [, b]) => order.indexOf(a) - order.indexOf(b));
    if (worst === undefined) return [];
    const [one, reason] = worst;
    return [{ judged: one, reason, good: good[0], others: bad.length - 1 }];
  });
  return found.toSorted((a, b) => order.indexOf(a.reason) - order.indexOf(b.reason));
}

function reasonOf({ run, verdicts }: JudgedRun): CandidateReason | null {
  if (verdicts.some(({ outcome }) => outcome === "fail")) return "failed";
  // A run with an error needs no test if one of its verdicts is a pass, or its failure is expected.
  const isKnown = verdicts.some(({ outcome, expectedFail }) => outcome === "pass" || expectedFail === true);
  if (run.status === "error" && !isKnown) return "error";
  if (verdicts.some(({ outcome, expectedFail }) => outcome === "warn" && expectedFail !== true))
    return "warned";
  return verdicts.length === 0 ? "unmatched" : null;
}

/**
 * Whether a run is complete, has no error, and passes every query that it matches. A complete run without an error that matches no query
 * counts as good.
 */
function isGood({ run, verdicts }: JudgedRun): boolean {
  return run.complete && run.status === "ok" && verdicts.every(({ outcome }) => outcome === "pass");
}
