import { remembered } from "../../support/structures/bounded-memo.ts";
import { wordList } from "../../support/structures/word-list.ts";

/** A name in lower case, with only letters and digits, so that `tool-result`, `toolResult` and `tool_result` are equal. */
export const plainName = remembered((name) => name.replace(/[^A-Za-z0-9]+/g, "").toLowerCase());

/** The texts that programming languages print for an absent value. */
const printedAbsence: ReadonlySet<string> = new Set(wordList("null none undefined nil nan"));
/** Further placeholders for an absent id. */
const noIds: ReadonlySet<string> = new Set(["unknown", "<not specified>", "<unset>", "n/a"]);
const LONGEST_ABSENCE = 16;

/**
 * Whether a text means an absent name: it is empty, or an absent value printed as text, such as `null` or `None`. With `isId`, further
 * placeholders for ids count.
 */
export function isAbsentName(text: string, isId = false): boolean {
  if (text.length > LONGEST_ABSENCE) return false;
  // An absent value printed as text begins with `<`, `n`, `u` or white space; any other text is a name.
  const first = text.charCodeAt(0) | 32;
  if (first > 60 && first !== 110 && first !== 117) return false;
  const plain = text.trim().toLowerCase();
  return (
    plain === "" ||
    ((printedAbsence.has(plain) || (isId && noIds.has(plain))) && plain.length === text.length)
  );
}

/** Whether a text means an absent id: it is empty, an absent value printed as text (`null`), or a placeholder such as `unknown`. */
export function isAbsentId(text: string): boolean {
  return isAbsentName(text, true);
}

/** Maximum length of a service name, in characters. In a run without an agent name, each call contains the service name. */
const LONGEST_SERVICE = 1_000;

/** Returns the name of a service; a name longer than `LONGEST_SERVICE` is truncated and gets an ellipsis. */
export function boundedService(name: string): string {
  return name.length > LONGEST_SERVICE ? `${name.slice(0, LONGEST_SERVICE)}…` : name;
}

/**
 * Matches a placeholder: a known text, or a text with a known prefix or form. After a mark of redaction or of an error, further lines may
 * follow. `<error>` with an end tag is no mark, but a text in XML.
 * `<Response [200]>` is the response of a Python HTTP client, printed before its body was read.
 */
const placeholder =
  /^(?:__REDACTED__|readacted|<REDACTED>|\[REDACTED\]|<redacted>|\[redacted\]|<error>(?!.*<\/error>))(?:\n.*)?$|^(?:<not specified>|<not serializable>|N\/A|<no value>|\[object \w+\]|<nil>)$|^\[Scrubbed due to |^redacted by litellm|^<(?:coroutine|async_generator|generator|function|bound method|object|__main__)\b.*>$|^\[?<[\w.]+ object at 0x[0-9a-f]+>\]?$|^<\w*Response \[\d{3}[\w ]*\].*>$/s;

/** Matches a printed chunk of a stream at the beginning of a text: `StreamDelta(content=`. */
const printedChunk = /^[A-Z]\w*(?:Delta|Chunk|Event)\(\w+=/;
/** Matches the start of a second printed chunk after the first. A single object may be a text about an event, or a tool's result. */
const nextChunk = /\)[A-Z]\w*(?:Delta|Chunk|Event)\(\w+=/;

/** Whether a text consists of chunks, printed as Python objects one after another: `StreamDelta(content='a')StreamDelta(…`. */
function isPrintedChunks(text: string): boolean {
  return printedChunk.test(text) && nextChunk.test(text);
}

/** Whether a text is a placeholder that a producer writes instead of a text that is hidden or absent, or of a value that it cannot serialise. */
export function isPlaceholder(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first === 34) return /^"[<[_rN].*"$/s.test(text) && isPlaceholder(text.slice(1, -1));
  if (first >= 65 && first <= 90 && isPrintedChunks(text)) return true;
  // The first characters of placeholders: `<`, `[`, `_`, `r`, `N`.
  if (first !== 60 && first !== 91 && first !== 95 && first !== 114 && first !== 78) return false;
  return placeholder.test(text);
}

/** Matches Base64 of the first bytes of PNG, JPEG, GIF, WebP, PDF and WAV files. */
const encodedFile = /^(?:data:[\w/+.-]+;base64,|iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|JVBERi0)[A-Za-z0-9+/]+=*$/;

/** Whether a text is only an encoded file, and thus not typed by a person. */
export function isEncodedFile(text: string): boolean {
  return text.length >= 64 && encodedFile.test(text);
}
