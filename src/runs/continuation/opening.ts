import type { LlmCall } from "../calls/llm-call.ts";
import type { ReadMessage } from "../notations/message.ts";
import { isPlaceholder } from "../notations/names.ts";
import { isHarnessText } from "../notations/wrapping.ts";

/** The beginning of a part of a run: the message history of its first call, divided at the user's last message. */
export interface Opening {
  /** The user's last message; null if the history has none. */
  readonly question: string | null;
  /** Messages before the user's last message. */
  readonly before: readonly ReadMessage[];
  /** Messages of agents and tools after the user's last message. */
  readonly since: readonly ReadMessage[];
}

/**
 * Divides a call's input at the user's last message. A text that an agent or tool of the run produced is not a user message, even if its
 * role is `user`.
 * @param isProduced whether an agent or a tool produced the text of a message
 */
export function openingOf(
  sent: readonly ReadMessage[],
  isProduced?: (message: ReadMessage) => boolean,
): Opening {
  for (let at = sent.length - 1; at >= 0; at--) {
    const message = sent[at] as ReadMessage;
    if (!isUsers(sent, at) || isProduced?.(message) === true) continue;
    return { question: message.text, before: sent.slice(0, at), since: sent.slice(at + 1) };
  }
  return { question: null, before: [], since: sent };
}

/**
 * Returns the input of a call without system messages, empty messages, and copies of the call's output at the end. Some producers, such as
 * AgentScope, append the output to the input.
 */
export function sentTo(call: LlmCall): readonly ReadMessage[] {
  const { inputs } = call;
  let end = inputs.length;
  while (end > 0 && isReturned(inputs[end - 1] as ReadMessage, call)) end--;
  return end === inputs.length ? inputs : inputs.slice(0, end);
}

/** Whether the message is a system message, is empty, or has text or requests of this call, or results of these requests. */
function isReturned({ role, text, calls, results }: ReadMessage, call: LlmCall): boolean {
  if (role === "system") return true;
  if (calls.length + results.length > 0) {
    if (role === "user" || call.requests.length === 0) return false;
    const isOwn = (id: string | null): boolean =>
      id !== null && call.requests.some((request) => request.id === id);
    return calls.every(({ id }) => isOwn(id)) && results.every(({ callId }) => isOwn(callId));
  }
  if (role !== "assistant") return false;
  return text === null || text === "" || text === call.text;
}

/** Whether a call's input ends with a message that a user wrote (`isUsers`) and that is not a placeholder. */
export function endsWithUser(sent: readonly ReadMessage[]): boolean {
  const last = sent[sent.length - 1];
  return last !== undefined && isUsers(sent, sent.length - 1) && !isPlaceholder(last.text ?? "");
}

/**
 * Whether a user wrote the message, and not only a harness. Chat APIs accept media only in messages with the role `user`. A harness
 * therefore adds media from a tool in such a message, directly after the tool's result.
 */
function isUsers(sent: readonly ReadMessage[], at: number): boolean {
  const { role, text, calls, results } = sent[at] as ReadMessage;
  if (role !== "user" || text === null || text.trim() === "" || calls.length + results.length > 0)
    return false;
  if (isHarnessText(text)) return false;
  let before = at;
  while (isMediaOfUser(sent[before])) before--;
  return before === at || (sent[before]?.results ?? []).length === 0;
}

function isMediaOfUser(message: ReadMessage | undefined): boolean {
  return message !== undefined && message.role === "user" && message.hasMedia;
}

/** Whether the history has messages of agents or tools after the user's last message. */
export function isUnderway({ since }: Opening): boolean {
  return since.some(({ role }) => role !== "system");
}

/**
 * Whether a part begins with a new user message. If an earlier part received the same text, the text is new only if the history also
 * contains the earlier message.
 */
export function opensTurn(opening: Opening, earlier: ReadonlySet<string>): boolean {
  const { question, before } = opening;
  if (question === null || isUnderway(opening) || isPlaceholder(question)) return false;
  return !earlier.has(question) || before.some(({ role, text }) => role === "user" && text === question);
}
