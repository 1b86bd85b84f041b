import type { Message } from "../../model/message.ts";
import type { LlmCall } from "./llm-call.ts";
import { isPlaceholder } from "../text/placeholder.ts";

/** How an agent's work begins: its history, divided at the last words of a user. */
export interface Opening {
  /** The user's last words; undefined where the history holds none. */
  readonly asked: string | undefined;
  /** Messages before these words. */
  readonly before: readonly Message[];
  /** Messages after these words: what agents and tools said since. */
  readonly since: readonly Message[];
}

/**
 * Divides what a call was sent. Words that an agent or a tool of the run produced are not a user's, whatever role the message has.
 * @param isProduced whether an agent or a tool produced the words of a message
 */
export function openingOf(
  sent: readonly Message[],
  isProduced: (message: Message) => boolean = isNever,
): Opening {
  const at = sent.findLastIndex(
    (message, place) => isUsers(message) && !isResult(sent, place) && !isProduced(message),
  );
  const asked = sent[at]?.text ?? undefined;
  if (asked === undefined) return { asked, before: [], since: sent };
  return { asked, before: sent.slice(0, at), since: sent.slice(at + 1) };
}

function isNever(): boolean {
  return false;
}

/**
 * What a call was sent: its messages without those at the end that repeat what it returned, as some producers write them, or that are
 * empty: AgentScope puts the reply to come there.
 */
export function sentTo(call: LlmCall): readonly Message[] {
  const { inputs } = call;
  let end = inputs.length;
  while (end > 0 && (inputs[end - 1]?.role === "system" || isReturned(inputs[end - 1] as Message, call)))
    end--;
  return end === inputs.length ? inputs : inputs.slice(0, end);
}

/** It has a text or requests of the call's own, or results of these. */
function isReturned({ role, text, calls, results }: Message, call: LlmCall): boolean {
  if (role === "user" || (calls.length + results.length === 0 && role !== "assistant")) return false;
  if (calls.length + results.length === 0 && (text === null || text === "")) return true;
  const own = call.requests;
  if (calls.length + results.length > 0) {
    if (own.length === 0) return false;
    const isOwn = (id: string | null): boolean => id !== null && own.some((request) => request.id === id);
    return calls.every(({ id }) => isOwn(id)) && results.every(({ callId }) => isOwn(callId));
  }
  return text !== null && text === call.text;
}

/** Whether what a call was sent ends with a message that has a user's role and words. */
export function endsWithUser(sent: readonly Message[]): boolean {
  const last = sent[sent.length - 1];
  return last !== undefined && isUsers(last) && !isPlaceholder(last.text ?? "");
}

/** Some producers give a tool's result a user's role: no user speaks between a model's request and its result. */
function isResult(inputs: readonly Message[], place: number): boolean {
  let at = place - 1;
  while (at >= 0 && isUsers(inputs[at] as Message)) at--;
  const before = inputs[at];
  // A message that holds requests and all their results is the whole of what an agent did, and a user may speak after it.
  return before !== undefined && before.calls.length > before.results.length;
}

function isUsers({ role, text, calls, results }: Message): boolean {
  return role === "user" && text !== null && text.trim() !== "" && calls.length + results.length === 0;
}

/** Whether agents or tools said something since the user's last words. */
export function isUnderway({ since }: Opening): boolean {
  return since.some(({ role }) => role !== "system");
}

/** Whether work begins with new words of a user: words that earlier work was given are none, unless the history has them once more. */
export function opensTurn(opening: Opening, askedBefore: ReadonlySet<string>): boolean {
  const { asked, before } = opening;
  if (asked === undefined || isUnderway(opening) || isPlaceholder(asked)) return false;
  return !askedBefore.has(asked) || before.some(({ role, text }) => role === "user" && text === asked);
}
