import { isObject, type JsonValue } from "../../model/json.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import { withSingleSpaces } from "../continuation/produced-texts.ts";
import type { ToolUse } from "../ledger/tool-use.ts";
import type { ReadMessage } from "../notations/message.ts";
import { isDelegation } from "./handoff-target.ts";

/**
 * Returns the texts that a tool such as `ask_X` passes to another agent. If this sub-agent has no agent span, one of these texts is the
 * question of its first call. `own`: the question of the agent that requests the tool. A text equal to `own` is left out, because it does
 * not identify the sub-agent.
 */
export function questionsFor(
  name: string | null,
  args: JsonValue | undefined,
  own: string | null,
): readonly string[] {
  if (name === null || !isDelegation(name) || !isObject(args)) return [];
  const texts = Object.values(args).map((value) =>
    typeof value === "string" ? withSingleSpaces(value) : "",
  );
  return texts.filter((text) => text !== "" && text !== own);
}

/** Returns the calls of the sub-agent that a tool use starts: calls whose question is an argument of the tool use. */
export function subAgentCalls(use: ToolUse, calls: readonly LlmCall[]): readonly LlmCall[] {
  const asking = use.call === null ? undefined : calls[use.call];
  if (asking === undefined) return [];
  const questions = new Set(questionsFor(use.name, use.arguments, questionIn(asking.inputs)));
  if (questions.size === 0) return [];
  const asked = callsByQuestion(calls);
  return [...questions].flatMap((question) => asked.get(question) ?? []).sort((a, b) => a.start - b.start);
}

const known = new WeakMap<readonly LlmCall[], ReadonlyMap<string, readonly LlmCall[]>>();

/** Returns the calls of a run by their question. Computed once for a run, because a run can have thousands of calls and tool uses. */
function callsByQuestion(calls: readonly LlmCall[]): ReadonlyMap<string, readonly LlmCall[]> {
  const found = known.get(calls);
  if (found !== undefined) return found;
  const grouped = new Map<string, LlmCall[]>();
  for (const call of calls) {
    const question = questionIn(call.inputs) ?? "";
    const same = grouped.get(question);
    if (same === undefined) grouped.set(question, [call]);
    else same.push(call);
  }
  known.set(calls, grouped);
  return grouped;
}

/** Position of the user's last message in a history; -1 if there is none. */
export function lastQuestionAt(inputs: readonly ReadMessage[]): number {
  // If content capture is off, messages have only roles.
  const isHidden = inputs.every(({ text }) => text === null || text === "");
  return inputs.findLastIndex(
    ({ role, text, results }) => role === "user" && results.length === 0 && (isHidden || (text ?? "") !== ""),
  );
}

/** The user's last message in a history, with single spaces; null if there is none. */
export function questionIn(inputs: readonly ReadMessage[]): string | null {
  const asked = inputs[lastQuestionAt(inputs)]?.text ?? null;
  return asked === null ? null : withSingleSpaces(asked);
}
