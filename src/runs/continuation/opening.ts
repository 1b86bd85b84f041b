import type { LlmCall } from "../calls/llm-call.ts";
import type { ReadMessage } from "../notations/message.ts";
import { isPlaceholder } from "../notations/names.ts";

/** How a piece of work begins: its history, divided at the last words of a user. */
export interface Opening {
  /** The user's last words; null where the history holds none. */
  readonly asked: string | null;
  /** Messages before these words. */
  readonly before: readonly ReadMessage[];
  /** Messages after these words: what agents and tools said since. */
  readonly since: readonly ReadMessage[];
}

/**
 * Divides what a call was sent. Words that an agent or a tool of the run produced are not a user's, whatever role the message has.
 * @param isProduced whether an agent or a tool produced the words of a message
 */
export function openingOf(
  sent: readonly ReadMessage[],
  isProduced?: (message: ReadMessage) => boolean,
): Opening {
  for (let at = sent.length - 1; at >= 0; at--) {
    const message = sent[at] as ReadMessage;
    if (!isUsers(message) || isResult(sent, at) || isProduced?.(message) === true) continue;
    return { asked: message.text, before: sent.slice(0, at), since: sent.slice(at + 1) };
  }
  return { asked: null, before: [], since: sent };
}

/**
 * What a call was sent: its messages without those at the end that repeat what it returned, as some producers write them, or that are empty:
 * AgentScope puts the reply to come there.
 */
export function sentTo(call: LlmCall): readonly ReadMessage[] {
  const { inputs } = call;
  let end = inputs.length;
  while (end > 0 && isReturned(inputs[end - 1] as ReadMessage, call)) end--;
  return end === inputs.length ? inputs : inputs.slice(0, end);
}

/** It has a text or requests of the call's own, or results of these. */
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

/** Whether what a call was sent ends with a message that has a user's role and words. */
export function endsWithUser(sent: readonly ReadMessage[]): boolean {
  const last = sent[sent.length - 1];
  return last !== undefined && isUsers(last) && !isPlaceholder(last.text ?? "");
}

/** Some producers give a tool's result a user's role: no user speaks between a model's request and its result. */
function isResult(sent: readonly ReadMessage[], place: number): boolean {
  let at = place - 1;
  while (at >= 0 && isUsers(sent[at] as ReadMessage)) at--;
  const before = sent[at];
  // A message that holds requests and all their results is the whole of what an agent did, and a user may speak after it.
  return before !== undefined && before.calls.length > before.results.length;
}

function isUsers({ role, text, calls, results }: ReadMessage): boolean {
  return role === "user" && text !== null && text.trim() !== "" && calls.length + results.length === 0;
}

/** Whether agents or tools said something since the user's last words. */
export function isUnderway({ since }: Opening): boolean {
  return since.some(({ role }) => role !== "system");
}

/** Whether work begins with new words of a user: words that earlier work was given are none, unless the history has them once more. */
export function opensTurn(opening: Opening, askedBefore: ReadonlySet<string>): boolean {
  const { asked, before } = opening;
  if (asked === null || isUnderway(opening) || isPlaceholder(asked)) return false;
  return !askedBefore.has(asked) || before.some(({ role, text }) => role === "user" && text === asked);
}
