import type { JsonValue } from "../../model/json.ts";
import type { LlmCall } from "../fragments/llm-call.ts";
import type { SpanNode } from "../span/span-node.ts";
import type { Evidence } from "./evidence.ts";
import { toolsAround } from "./speakers.ts";
import type { Steps } from "./steps.ts";
import type { ToolUse } from "./tool-use.ts";

/**
 * The model call of the outermost agent whose tools ran, and after which that agent made no call although the run has an answer: the call that
 * gave it is not in the data. A tool whose result is the answer needs no such call, nor does a hand-off.
 */
export function unansweredCall(evidence: Evidence, steps: Steps, answer: string | null): LlmCall | undefined {
  if (answer === null) return stoppedSilently(evidence, steps);
  const around = toolsAround();
  const outer = evidence.allCalls.filter(({ node }) => around.of(node.parent) === undefined);
  const last = outer.at(-1);
  if (last === undefined || last.failure !== null || last.text !== undefined) return undefined;
  const place = evidence.allCalls.indexOf(last);
  const asked = steps.steps.filter(({ use }) => use.requested?.call === place);
  if (asked.length === 0) return last.finish === "tool_call" && last.requests.length === 0 ? last : undefined;
  const isAnswered = asked.some(
    ({ use, isControl, target }) =>
      isControl ||
      use.executions.length === 0 ||
      (target !== undefined &&
        !evidence.allCalls.some(({ node }) => isWithin(use, around.of(node.parent)))) ||
      use.executions.some(({ result }) => isResult(answer, result)),
  );
  return isAnswered ? undefined : last;
}

/**
 * Where no contents are recorded: the last call, if it asked for a tool by its finish reason, and neither a tool nor a call came after it
 * although the run ended well.
 */
function stoppedSilently({ allCalls, root }: Evidence, { steps }: Steps): LlmCall | undefined {
  const last = allCalls.at(-1);
  if (last?.finish !== "tool_call" || last.outputs.length > 0 || last.failure !== null) return undefined;
  // A root whose own parent never came may be all that is left of a run that was cut off.
  const isCutOff = root.span.parentSpanId !== undefined && !root.parentCame;
  if (root === last.node || isCutOff || root.failure !== null) return undefined;
  return steps.some(({ use }) => startsFrom(use, last.start)) ? undefined : last;
}

function startsFrom({ executions }: ToolUse, time: number): boolean {
  return executions.some(({ nodes: [node] }) => node.start >= time);
}

/** Another agent worked within the tool's span: what it said comes back to the agent that asked. */
function isWithin({ executions }: ToolUse, tool: SpanNode | undefined): boolean {
  return tool !== undefined && executions.some(({ nodes }) => nodes.includes(tool));
}

/** Whether an answer only repeats what a tool returned. */
export function isResult(answer: string, result: JsonValue | undefined): boolean {
  if (result === undefined || result === null) return false;
  const text = typeof result === "string" ? result : JSON.stringify(result);
  return text.length > 0 && (answer.includes(text.trim()) || text.includes(answer.trim()));
}
