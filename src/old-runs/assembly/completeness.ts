import { isObject } from "../../model/json.ts";
import type { Missing } from "../../model/run.ts";
import type { Evidence } from "./evidence.ts";
import { failureOf } from "./status.ts";
import type { Steps } from "./steps.ts";

/** Why a run's telemetry is not whole; empty when it is. Decided by the data, not by how the run was closed. */
export function gapsOf(evidence: Evidence, steps: Steps, answer: string | null, isEmpty: boolean): Missing[] {
  const gaps: Missing[] = [];
  if (evidence.fragments.some((fragment) => fragment.truncated)) {
    gaps.push({ what: "spans", why: "the trace was cut off: too large, or memory ran out" });
  }
  if (evidence.isSpread) {
    gaps.push({ what: "run", why: "spread: parts of it are in traces that could not be tied to this one" });
  }
  if (lostParent(evidence))
    gaps.push({ what: "root", why: "the span above the model calls was never received" });
  if (failureOf(evidence) === undefined && answer === null && stoppedAtTool(evidence, steps)) {
    gaps.push({ what: "end", why: "the last model call asked for a tool and nothing came after it" });
  }
  if (answer === null && endsUnreported(evidence)) {
    gaps.push({
      what: "end",
      why: "the last model call has an empty output and no usage: it may not have ended when it was sent",
    });
  }
  if (isEmpty) {
    gaps.push({
      what: "end",
      why: "no model call, no tool call and no answer came: nothing shows how the run ended",
    });
  }
  return gaps;
}

/** Exporters that send a call when it begins, and again when it ended, leave an empty object for the output where the process died between. */
function endsUnreported({ calls }: Evidence): boolean {
  const last = calls[calls.length - 1];
  if (last === undefined || last.inputs.length === 0 || last.outputs.length > 0) return false;
  if (last.usage.input !== null || last.finish !== null) return false;
  const output = last.node.has("output") ? last.node.json("output") : undefined;
  return isObject(output) && Object.keys(output).length === 0;
}

/** Only empty spans, as a guardrail that leaves no mark makes them: neither success nor failure. */
export function saysNothing(evidence: Evidence, { steps }: Steps, answer: string | null): boolean {
  const { calls, failedCalls } = evidence;
  if (calls.length + failedCalls.length > 0 || failureOf(evidence) !== undefined) return false;
  return steps.length === 0 && answer === null;
}

/** Calls or tools hang below a span that never came, and no agent's span is above them. */
function lostParent(evidence: Evidence): boolean {
  const { root } = evidence;
  if (root.span.parentSpanId === undefined) return false;
  if (root.parent !== undefined || root.parentCame) return false;
  return root.role !== "agent" && root.role !== "workflow";
}

function stoppedAtTool(evidence: Evidence, steps: Steps): boolean {
  const last = steps.steps.findLast(({ use }) => use.requested !== undefined);
  if (last === undefined || last.target !== undefined || last.isControl) return false;
  const place = last.use.requested?.call;
  if (place !== evidence.calls.length - 1) return false;
  // Beside the tool that carries the answer a model may ask for others, which then need not run.
  return !steps.steps.some(({ use, output }) => output !== undefined && use.requested?.call === place);
}
