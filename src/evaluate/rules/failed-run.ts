import type { AgentRun, ModelCall } from "../../model/run.ts";
import type { Finding } from "../checks/check.ts";
import { skip } from "../result/finding.ts";

/** Why a check that needs the answer of a failed run is skipped; a constant, for it is exported without content. */
export const failedWithoutAnswer = "the run ended in an error and gave no answer";
const failedBefore = "the run ended in an error before this was recorded";

/**
 * A check's finding about a run that ended in an error: evidence that is missing because of it skips the check. Evidence that the run
 * had and the telemetry left out stays missing.
 */
export function unlessFailed(finding: Finding, run: AgentRun): Finding {
  if (run.status !== "error" || finding.outcome !== "incomplete") return finding;
  const { missing = [], value } = finding;
  if (!missing.every((field) => explains(field, run))) return finding;
  return skip(missing.includes("answer") ? failedWithoutAnswer : failedBefore, value);
}

/** Whether the failure is why the field is missing. */
function explains(field: string, run: AgentRun): boolean {
  const served = run.llm.filter((call) => call.error === null);
  const worked = run.tools.filter((call) => call.error === null && call.executed !== false);
  switch (field) {
    case "query":
    case "reference":
    case "turns":
      return false;
    case "usage":
    case "llm_calls":
      // The run may have ended in its last call, and a client need not mark that as failed.
      return served.slice(0, -1).every(hasUsage);
    case "cost":
      return served.slice(0, -1).every((call) => call.costUsd !== null);
    case "tool_names":
      return worked.every((call) => call.name !== null);
    case "tool_arguments":
      return worked.every((call) => call.arguments !== undefined);
    case "tool_results":
      // The run may have ended while its last tool was working.
      return worked.slice(0, -1).every((call) => call.result !== undefined);
    default:
      return true;
  }
}

function hasUsage({ usage }: ModelCall): boolean {
  return usage.input !== null && usage.output !== null;
}
