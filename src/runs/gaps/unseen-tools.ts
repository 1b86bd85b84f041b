import type { LlmCall } from "../calls/llm-call.ts";
import type { Evidence } from "../evidence.ts";
import type { Coverage } from "../results/usage.ts";

/**
 * Why unrecorded tools may have run; null if there is no sign. If any tool has a span, all tools have spans, and only requests without a
 * name are unknown.
 */
export function unseenToolsOf(
  tools: readonly { readonly name: string | null }[],
  evidence: Evidence,
  coverage: Coverage,
  { answer, status }: { readonly answer: string | null; readonly status: string | null },
): string | null {
  const { calls, toolNodes } = evidence;
  if (toolNodes.length > 0) return null;
  if (calls.some(hidesRequest))
    return "a model call ended by asking for a tool that neither its messages nor a span show: instrument the tools, or switch contents on";
  if (tools.length > 0) return null;
  // A successful agent without model calls is a program without a model, or is instrumented by hand.
  if ((coverage === "none" && status === "error") || coverage === "lost" || coverage === "covered")
    return "not all model calls are in the data, and no tool has a span: instrument the tools";
  if (calls.some(wasGivenResults))
    return "the model was given results of tools that neither its messages nor spans name: instrument the tools";
  // If the answer is recorded, content is recorded. Calls next to it just omit it.
  if (answer === null && calls.some(isSilent))
    return "a model call's output is not in the data, and no tool has a span: instrument the tools, or switch contents on";
  return null;
}

/** Since the user's last message; earlier entries belong to an earlier turn. */
function wasGivenResults({ inputs }: LlmCall): boolean {
  const since = inputs.slice(inputs.findLastIndex(({ role }) => role === "user") + 1);
  return since.some(({ results }) => results.length > 0);
}

function hidesRequest({ finish, requests }: LlmCall): boolean {
  return finish === "tool_call" && requests.length === 0;
}

function isSilent({ text, requests }: LlmCall): boolean {
  return (text ?? "").trim() === "" && requests.length === 0;
}
