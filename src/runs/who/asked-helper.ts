import { isObject, type JsonValue } from "../../model/json.ts";
import { withSingleSpaces } from "../continuation/produced-texts.ts";
import type { ReadMessage } from "../notations/message.ts";
import { isDelegation } from "./handoff-target.ts";

/** Texts that a tool such as `ask_X` gives to another agent. A helper without spans of its own begins with one of them as its question. */
export function questionsFor(name: string | null, args: JsonValue | undefined): readonly string[] {
  if (name === null || !isDelegation(name) || !isObject(args)) return [];
  return Object.values(args).flatMap((value) => (typeof value === "string" ? withSingleSpaces(value) : []));
}

/** Place of the user's last message in a history; -1 if there is none. */
export function lastQuestionAt(inputs: readonly ReadMessage[]): number {
  // With contents off, only the roles of the messages are left.
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
