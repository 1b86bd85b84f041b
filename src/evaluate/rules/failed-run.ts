import type { AgentRun, ModelCall } from "../../model/run.ts";
import type { CheckResult } from "../../model/verdict.ts";
import type { Finding } from "../checks/check.ts";
import { hasOddTokens } from "../quantities/plausible.ts";
import { skip } from "../result/finding.ts";
import { isContent, isContentOff } from "./content-capture.ts";

/** Why a check that needs the answer of a failed run is skipped; a constant, for it is exported without content. */
export const failedWithoutAnswer = "the run ended in an error and gave no answer";
const failedBefore = "the run ended in an error before this was recorded";

/**
 * A check's finding about a run that ended in an error: evidence that is missing because of it skips the check. Evidence that the run
 * had and the telemetry left out stays missing.
 */
export function unlessFailed(finding: Finding, run: AgentRun): Finding {
  if (finding.outcome !== "incomplete") return finding;
  const { missing = [], value } = finding;
  if (!missing.every((field) => isPrevented(field, run))) return finding;
  return skip(missing.includes("answer") ? failedWithoutAnswer : failedBefore, value);
}

/**
 * Whether the failure of a run only warns, by a waiver or a severity. A failure that only warns hides no
 * other check.
 */
export function acceptsFailure(
  { status }: Pick<AgentRun, "status">,
  results: readonly Pick<CheckResult, "check" | "outcome" | "expectedFail">[],
): boolean {
  if (status !== "error") return false;
  const found = results.find(({ check }) => check === "run_status");
  return found?.outcome === "warn" && found.expectedFail !== true;
}

/** Whether a field is missing because the run ended in an error. */
export function isPrevented(field: string, run: AgentRun): boolean {
  return run.status === "error" && explains(field, run);
}

/** Whether the failure is why the field is missing: what was to be recorded before it, or was, is not. */
function explains(field: string, run: AgentRun): boolean {
  const served = run.llm.filter((call) => call.error === null);
  const worked = run.tools.filter((call) => call.error === null && call.executed !== false);
  if (isContent(field) && isContentOff(field, run) && hadContent(field, run)) return false;
  switch (field) {
    case "usage":
    case "llm_calls":
      // The run may have ended in its last call, and a client need not mark that as failed.
      return !hasOddTokens(run) && served.slice(0, -1).every(hasUsage);
    case "cost":
      // Tokens outside of any call have no price that a failure could have kept away.
      return !hasOddTokens(run) && (run.totalTokens ?? 0) === 0 && run.llm.every(isUncounted(served.at(-1)));
    case "tool_names":
      return worked.every((call) => call.name !== null);
    case "tool_arguments":
      return worked.every((call) => call.arguments !== undefined);
    case "tool_results":
      // The run may have ended while its last tool was working.
      return worked.slice(0, -1).every((call) => call.result !== undefined);
    case "answer":
    case "messages":
    case "retrievals":
    case "output_quality":
    // Facts that the root span gets at its end.
    case "token_components":
    case "changes":
      return true;
    case "tools":
    case "handoffs":
    case "handoffs_available":
    case "agents":
    case "instructions":
      return served.length === 0 && worked.length === 0;
    default:
      return false;
  }
}

/** Whether a step before the failure had content of the field's side, so that its absence shows a switch. */
function hadContent(field: string, { query, llm, tools }: AgentRun): boolean {
  const hasWorked =
    llm.some(({ error }) => error === null) ||
    tools.some(({ error, executed }) => error === null && executed !== false);
  return hasWorked || (query === null && field !== "tool_results");
}

/** A call that has a cost or, where it may be the one that failed, no usage to make one of. */
function isUncounted(last: ModelCall | undefined): (call: ModelCall) => boolean {
  return (call) => call.costUsd !== null || ((call.error !== null || call === last) && !hasUsage(call));
}

function hasUsage({ usage }: ModelCall): boolean {
  return usage.input !== null && usage.output !== null;
}
