import type { Resilience } from "../../evaluate/query/blocks.ts";
import type { Outcome } from "../../model/outcome.ts";
import { type FaultAccount, MOST_REPEATS } from "../../model-server/faults/faulty-responder.ts";
import type { AgentCall } from "../agent/call.ts";

/** Result of a run with an injected fault. `undecided`: the result is unknown. */
export type FaultOutcome = "recovered" | "degraded" | "failed" | "crashed" | "hung" | "looped" | "undecided";

/** Outcomes from best to worst, without `undecided`. */
export const faultOutcomes = ["recovered", "degraded", "failed", "crashed", "hung", "looped"] as const;

/** The worst outcome that is accepted. */
export type FaultExpectation = NonNullable<Resilience["expect"]>;

/** Whether an outcome is at least as good as expected; null if it is undecided. */
export function meets(outcome: FaultOutcome, expected: FaultExpectation): boolean | null {
  if (outcome === "undecided") return null;
  return faultOutcomes.indexOf(outcome) <= faultOutcomes.indexOf(expected);
}

export interface FaultVerdict {
  readonly outcome: Outcome;
  /** Checks of the verdict that warn, each as JSON with spec, query, check and turn. */
  readonly warnings: readonly string[];
  /** Name and message of the first check that is incomplete or has an error; null if there is none. */
  readonly gap: string | null;
}

export interface FaultedRun {
  readonly call: Pick<AgentCall, "outcome" | "reason">;
  readonly account: FaultAccount;
  /** Verdicts of the run by all specs. */
  readonly verdicts: readonly FaultVerdict[];
  /** Verdicts of the run without the fault. */
  readonly before: readonly FaultVerdict[];
  /** Number of model calls in the run without the fault. */
  readonly requestsBefore: number;
}

export function faultOutcome(faulted: FaultedRun): { readonly outcome: FaultOutcome; readonly why: string } {
  const { call, account, verdicts, before, requestsBefore } = faulted;
  if (account.faults === 0)
    return undecided("the agent did not make the model call to which the fault applies");
  const isRepeating = account.requests - requestsBefore >= MOST_REPEATS;
  if (account.faults >= MOST_REPEATS || (call.outcome === "timed_out" && isRepeating))
    return { outcome: "looped", why: `${account.requests} model calls` };
  if (call.outcome === "timed_out") return { outcome: "hung", why: call.reason };
  if (call.outcome === "failed") return { outcome: "crashed", why: call.reason };
  if (call.outcome !== "ok") return undecided(call.reason);
  if (before.length === 0 || before.some(({ outcome }) => outcome !== "pass" && outcome !== "warn")) {
    return undecided("the run without the fault did not pass, so the effect of the fault is unknown");
  }
  if (verdicts.some(({ outcome }) => outcome === "fail")) return { outcome: "failed", why: "" };
  if (verdicts.length === 0) return undecided("no agent run arrived");
  const open = verdicts.find(({ outcome }) => outcome !== "pass" && outcome !== "warn");
  if (open !== undefined) return undecided(open.gap ?? "no check could be decided");
  const known = new Set(before.flatMap(({ warnings }) => warnings));
  const added = verdicts.flatMap(({ warnings }) => warnings).filter((one) => !known.has(one));
  return { outcome: added.length > 0 ? "degraded" : "recovered", why: "" };
}

function undecided(why: string): { readonly outcome: FaultOutcome; readonly why: string } {
  return { outcome: "undecided", why };
}
