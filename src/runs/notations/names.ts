import { remembered } from "../../support/structures/bounded-memo.ts";
import { wordList } from "../../support/structures/word-list.ts";

/** A name as letters and digits only, lower case: `tool-result`, `toolResult` and `tool_result` are equal. */
export const plainName = remembered((name) => name.replace(/[^A-Za-z0-9]+/g, "").toLowerCase());

/** Printed forms of an absent value in several programming languages. */
const printedAbsence: ReadonlySet<string> = new Set(wordList("null none undefined nil nan"));
/** Further placeholders for an id. */
const noIds: ReadonlySet<string> = new Set(["unknown", "<not specified>", "<unset>", "n/a"]);
const LONGEST_ABSENCE = 16;

/** Whether a text is empty or a printed absence such as `"null"` or `"None"`, and thus neither a name nor an id. */
export function isAbsentName(text: string, isId = false): boolean {
  if (text.length > LONGEST_ABSENCE) return false;
  // Only `<`, `n`, `u` and white space begin a printed absence.
  const first = text.charCodeAt(0) | 32;
  if (first > 60 && first !== 110 && first !== 117) return false;
  const plain = text.trim().toLowerCase();
  return (
    plain === "" ||
    ((printedAbsence.has(plain) || (isId && noIds.has(plain))) && plain.length === text.length)
  );
}

/** Whether a text is empty, a printed absence (`"null"`), or a placeholder such as `unknown`, and therefore not an id. */
export function isAbsentId(text: string): boolean {
  return isAbsentName(text, true);
}

/** Maximum length of a service name. Without an agent name, each call of the run repeats the service name. */
const LONGEST_SERVICE = 1_000;

/** The name of a service; a long one is cut and gets an ellipsis. */
export function boundedService(name: string): string {
  return name.length > LONGEST_SERVICE ? `${name.slice(0, LONGEST_SERVICE)}…` : name;
}

/**
 * Matches a placeholder: a known text, or a text with a known prefix or form. A mark of redaction may be the first of several lines.
 * `<Response [200]>` is the response of a Python HTTP client, printed before its body was read.
 */
const placeholder =
  /^(?:__REDACTED__|readacted|<REDACTED>|\[REDACTED\]|<redacted>|\[redacted\])(?:\n.*)?$|^(?:<not specified>|<not serializable>|N\/A|<no value>|\[object \w+\]|<nil>)$|^\[Scrubbed due to |^redacted by litellm|^<(?:coroutine|async_generator|generator|function|bound method|object|__main__)\b.*>$|^<[\w.]+ object at 0x[0-9a-f]+>$|^<\w*Response \[\d{3}[\w ]*\].*>$/s;

/** True for a placeholder that a producer writes in place of a hidden or unserialisable text. */
export function isPlaceholder(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first === 34) return /^"[<[_rN].*"$/s.test(text) && isPlaceholder(text.slice(1, -1));
  // "<", "[", "_", "r", "N"
  if (first !== 60 && first !== 91 && first !== 95 && first !== 114 && first !== 78) return false;
  return placeholder.test(text);
}

/** Matches Base64 of the first bytes of PNG, JPEG, GIF, WebP, PDF and WAV files. */
const encodedFile = /^(?:data:[\w/+.-]+;base64,|iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|JVBERi0)[A-Za-z0-9+/]+=*$/;

/** Whether a text is only an encoded file, which no person typed. */
export function isEncodedFile(text: string): boolean {
  return text.length >= 64 && encodedFile.test(text);
}
