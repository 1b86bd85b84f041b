import type { LlmCall } from "../calls/llm-call.ts";
import type { Evidence } from "../evidence.ts";
import type { Coverage } from "../results/usage.ts";

/**
 * Why tools may have run of which the data show nothing; null where nothing speaks for it. Where a tool has a span, tools have spans, and only what a
 * model asked for without naming it is unknown.
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
  // An agent without model calls that ended well is a program that makes none, or is instrumented by hand with what it has.
  if ((coverage === "none" && status === "error") || coverage === "lost" || coverage === "covered")
    return "not all model calls are in the data, and no tool has a span: instrument the tools";
  if (calls.some(wasGivenResults))
    return "the model was given results of tools that neither its messages nor spans name: instrument the tools";
  // Where the answer is recorded, contents are: calls beside it just leave out what it says.
  if (answer === null && calls.some(isSilent))
    return "a model call's output is not in the data, and no tool has a span: instrument the tools, or switch contents on";
  return null;
}

/** Since the user's last words: what came before them is of an earlier turn. */
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
