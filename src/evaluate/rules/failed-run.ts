import type { AgentRun, ModelCall } from "../../model/run.ts";
import type { CheckResult } from "../../model/verdict.ts";
import type { Finding } from "../checks/check.ts";
import { hasOddTokens } from "../quantities/run-quantities.ts";
import { skip } from "../result/finding.ts";
import { isContent, isContentOff } from "./content-capture.ts";

/**
 * Reason for skipping a check that needs the answer of a failed run. The text is constant, because reasons are exported even if content is
 * not.
 */
export const failedWithoutAnswer = "the run ended in an error and gave no answer";
const failedBefore = "the run ended in an error before the value was recorded";

/**
 * Returns a `skip` if the finding lacks evidence because the run ended in an error. The finding stays `incomplete` if the telemetry lacks
 * evidence from before the error.
 */
export function unlessFailed(finding: Finding, run: AgentRun): Finding {
  if (finding.outcome !== "incomplete") return finding;
  const { missing = [], value } = finding;
  if (!missing.every((field) => isPrevented(field, run))) return finding;
  return skip(missing.includes("answer") ? failedWithoutAnswer : failedBefore, value);
}

/** Whether a waiver or severity changes the failure of the run to a warning, so that other checks run despite the failure. */
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

/** Whether the failure explains the missing field. False for a value that should have been recorded before the failure. */
function explains(field: string, run: AgentRun): boolean {
  const served = run.llm.filter((call) => call.error === null);
  const worked = run.tools.filter((call) => call.error === null && call.executed !== false);
  if (isContent(field) && isContentOff(field, run) && hadContent(field, run)) return false;
  switch (field) {
    case "usage":
    case "llm_calls":
      // Ignores the last call: the run may have ended during this call, and some clients do not mark such a call as failed.
      return !hasOddTokens(run) && served.slice(0, -1).every(hasUsage);
    case "cost":
      // Tokens outside any call have no price whether or not the run failed, so with such tokens the failure does not explain the missing
      // cost.
      return !hasOddTokens(run) && (run.totalTokens ?? 0) === 0 && run.llm.every(isUncounted(served.at(-1)));
    case "tool_names":
      return worked.every((call) => call.name !== null);
    case "tool_arguments":
      return worked.every((call) => call.arguments !== undefined);
    case "tool_results":
      // Ignores the last tool call: the run may have ended during this call.
      return worked.slice(0, -1).every((call) => call.result !== undefined);
    case "answer":
    case "messages":
    case "retrievals":
    case "output_quality":
    // Failures can prevent `token_components` and `changes`, because the root span gets both at its end.
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

/**
 * Whether there was content to record before the failure: a model or tool call succeeded, or the query is missing, although every run has a
 * query. If the telemetry lacks such content, content capture is off.
 */
function hadContent(field: string, { query, llm, tools }: AgentRun): boolean {
  const hasWorked =
    llm.some(({ error }) => error === null) ||
    tools.some(({ error, executed }) => error === null && executed !== false);
  return hasWorked || (query === null && field !== "tool_results");
}

/**
 * Returns a predicate for a call that does not explain a missing cost. The call has a cost, or it has no usage and may be the call in which
 * the run failed.
 * @param last last call that is not marked as failed
 */
function isUncounted(last: ModelCall | undefined): (call: ModelCall) => boolean {
  return (call) => call.costUsd !== null || ((call.error !== null || call === last) && !hasUsage(call));
}

function hasUsage({ usage }: ModelCall): boolean {
  return usage.input !== null && usage.output !== null;
}
