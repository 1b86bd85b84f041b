import type { FinishReason, ModelAnswer } from "../../../model/model-exchange.ts";

const written: Readonly<Record<FinishReason, string>> = {
  stop: "stop",
  length: "length",
  tool_call: "tool_calls",
  content_filter: "content_filter",
  error: "error",
};

/** Returns OpenAI's finish reason. If the reason is unknown, the answer counts as complete. */
export function writeFinish({ finish, calls }: Pick<ModelAnswer, "finish" | "calls">): string {
  return written[finish ?? (calls.length > 0 ? "tool_call" : "stop")];
}

export function readFinish(reason: string | null): FinishReason | null {
  if (reason === "tool_calls" || reason === "function_call") return "tool_call";
  if (reason === "stop" || reason === "length" || reason === "content_filter" || reason === "error") {
    return reason;
  }
  return null;
}
