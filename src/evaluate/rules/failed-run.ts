import type { AgentRun, ModelCall } from "../../model/run.ts";
import type { CheckResult } from "../../model/verdict.ts";
import type { Finding } from "../checks/check.ts";
import { hasOddTokens } from "../quantities/plausible.ts";
import { skip } from "../result/finding.ts";
import { isContent, isContentOff } from "./content-capture.ts";

/**
 * Reason why a check is skipped that needs the answer of a failed run. The text is constant, because reasons
 * are exported even without content.
 */
export const failedWithoutAnswer = "the run ended in an error and gave no answer";
const failedBefore = "the run ended in an error before this was recorded";

/**
 * Returns a `skip` if the finding lacks evidence because the run ended in an error. If the telemetry lacks
 * evidence that the run had, the finding stays `incomplete`.
 */
export function unlessFailed(finding: Finding, run: AgentRun): Finding {
  if (finding.outcome !== "incomplete") return finding;
  const { missing = [], value } = finding;
  if (!missing.every((field) => isPrevented(field, run))) return finding;
  return skip(missing.includes("answer") ? failedWithoutAnswer : failedBefore, value);
}

/**
 * Whether a waiver or a severity turns the failure of the run into a warning. Other checks are then not
 * skipped because of the failure.
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

/**
 * Whether the failure of the run explains the missing field. The failure does not explain a missing value
 * that is recorded before the failure.
 */
function explains(field: string, run: AgentRun): boolean {
  const served = run.llm.filter((call) => call.error === null);
  const worked = run.tools.filter((call) => call.error === null && call.executed !== false);
  if (isContent(field) && isContentOff(field, run) && hadContent(field, run)) return false;
  switch (field) {
    case "usage":
    case "llm_calls":
      // Ignores the last call: the run may have ended in this call, and some clients do not mark the call as
      // failed.
      return !hasOddTokens(run) && served.slice(0, -1).every(hasUsage);
    case "cost":
      // If tokens are reported outside of any call, the failure does not explain their missing price.
      return !hasOddTokens(run) && (run.totalTokens ?? 0) === 0 && run.llm.every(isUncounted(served.at(-1)));
    case "tool_names":
      return worked.every((call) => call.name !== null);
    case "tool_arguments":
      return worked.every((call) => call.arguments !== undefined);
    case "tool_results":
      // Ignores the last tool call, because the run may have ended during this call.
      return worked.slice(0, -1).every((call) => call.result !== undefined);
    case "answer":
    case "messages":
    case "retrievals":
    case "output_quality":
    // The root span gets these fields at its end, so a failure may prevent them.
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
 * Whether the run had content for the field before its failure: a model call or tool call succeeded, or the
 * query is missing, which every run has. If the telemetry lacks this content, content capture is off.
 */
function hadContent(field: string, { query, llm, tools }: AgentRun): boolean {
  const hasWorked =
    llm.some(({ error }) => error === null) ||
    tools.some(({ error, executed }) => error === null && executed !== false);
  return hasWorked || (query === null && field !== "tool_results");
}

/**
 * Returns a function: whether a call has a cost, or has no usage for a cost because it may be the call in
 * which the run failed.
 * @param last the last call that is not marked as failed
 */
function isUncounted(last: ModelCall | undefined): (call: ModelCall) => boolean {
  return (call) => call.costUsd !== null || ((call.error !== null || call === last) && !hasUsage(call));
}

function hasUsage({ usage }: ModelCall): boolean {
  return usage.input !== null && usage.output !== null;
}
