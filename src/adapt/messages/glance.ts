/*
 * Messages in the notation of OpenTelemetry's conventions, looked through without being parsed. Whatever might be another notation, or
 * nested deeper than a look can tell, gives `undefined`: then the messages have to be read.
 */

import { parseJson } from "../../model/json.ts";
import { isPlaceholder } from "../placeholder.ts";

/** A tool call as it stands in a text. Its arguments are there. */
export interface SeenRequest {
  readonly id: string;
  readonly name: string;
}

/**
 * The type of a part that is not words, a call's with id and name right behind it; then all that other notations would need. Nearly all begin
 * with a quote, which is rare in prose, so that most characters are passed over at once, and share it, so that it is tried once.
 */
const marks = new RegExp(
  `"(?:${[
    'type(?:": ?"tool_call", ?"id": ?"([^"\\\\]+)", ?"name": ?"([^"\\\\]+)"|": ?"tool_call_response"|"(?!: ?"(?:text|reasoning)"))',
    '(?:part_kind|block_type|content_type|kind|args|input|kwargs|message|data|root|ref|response_to)"',
    '(?:message_content|additional_kwargs|call_id|callId|_\\w*|function\\w*|tool[A-Z_]\\w*)"',
    'arguments"(?:: ?(?:null|""))?',
    // What ends in these words is told at the quote behind it: at the one before it, every word would be looked through.
    '(?<=(?:class|[eE](?:rror|RROR)|[fF](?:ailed|ailure|AILED|AILURE))")',
  ].join("|")})|ToolCall`,
  "g",
);

/**
 * The tool calls in a list of messages, from place `from` on. `results`: whether tools' results may be among the messages; none of them
 * says then that its tool failed.
 */
export function requestsIn(text: string, from: number, results: boolean): SeenRequest[] | undefined {
  const found: SeenRequest[] = [];
  let written = 0;
  marks.lastIndex = from;
  for (let match = marks.exec(text); match !== null; match = marks.exec(text)) {
    const [mark, id, name] = match;
    if (id !== undefined && name !== undefined) found.push({ id, name });
    else if (mark === '"arguments"') written += 1;
    else if (mark.endsWith('tool_call_response"')) {
      if (!results) return undefined;
    } else return undefined;
  }
  return written === found.length ? found : undefined;
}

/** So many characters of an item tell it from others. */
const HEAD = 120;

/**
 * Where a list of messages goes on from an earlier one, of which it may leave out the beginning, and from the answer that was given to that;
 * 0 where it does not.
 */
export function goesOnAt(text: string, before: string, answer: string): number {
  const place = before.indexOf(text.slice(1, 1 + HEAD));
  if (place < 1) return 0;
  const length = before.length - 1 - place;
  const isSame = text.slice(1, 1 + length) === before.slice(place, place + length);
  if (!isSame) return 0;
  const end = 1 + length;
  const repeats = answer !== "" && text.startsWith(answer.slice(1, -1), end + 1);
  return repeats ? end + answer.length - 1 : end;
}

/** How a list of one message begins and ends whose only part is words. */
const beforeWords = /^\[\{"role": ?"(user|assistant)", ?"parts": ?\[\{"type": ?"text", ?"content": ?(?="\w)/;
const afterWords = /(?<=")\}\](?:, ?"finish_reason": ?"\w+")?\}\]$/;
/** What follows the words is not longer. */
const LONGEST_END = 60;

/** The words of a list that holds one message with nothing but them, if it is `role`'s and if they are sure to be words. */
export function wordsIn(text: string, role: "user" | "assistant"): string | undefined {
  const before = beforeWords.exec(text);
  if (before === null || before[1] !== role) return undefined;
  const end = afterWords.exec(text.slice(-LONGEST_END));
  if (end === null) return undefined;
  // Were there more than one string between the two, it would be no JSON.
  const words = parseJson(text.slice(before[0].length, text.length - end[0].length));
  if (typeof words !== "string" || words.includes("ToolCall") || isPlaceholder(words)) return undefined;
  return words;
}
