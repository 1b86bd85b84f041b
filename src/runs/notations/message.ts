import type { MessageRole } from "../../model/message.ts";
import { withPrintedSteps } from "./printed-steps.ts";
import { isMessage as isMessageOf, type ReadMessage } from "./read-message.ts";
import * as field from "./fields.ts";
import { parseText } from "./parse-text.ts";
import { isArray, type JsonObject } from "../../model/json.ts";
import { isContent, readFurtherMessages, readMessages } from "./read-messages.ts";

export { ReadMessage } from "./read-message.ts";
export { messagesWithin, readMessages } from "./read-messages.ts";

/** Maximum number of remembered texts. Parallel agents have separate histories, so several texts are remembered. */
const MOST_TEXTS = 6;
/** Maximum length of a remembered text, in characters. Longer texts are not remembered. */
const LONGEST = 4 * 2 ** 20;
/** Minimum length of a common prefix, in characters. Parsing a shorter prefix again is faster than comparing it. */
const SHORTEST_SHARED = 64;

/** Matches the text before the first item of a message list. The list is at the top, or in an object that contains only the list. */
const beginsList = /^\s*(\{\s*"(?:messages|input|contents)":\s*)?(\[{1,2})(?=\s*\{)/;

interface KnownText {
  readonly text: string;
  readonly role: MessageRole;
  readonly messages: readonly ReadMessage[];
  /** Text that closes the list. */
  readonly tail: string;
  /**
   * The text without `tail`. A longer history that continues this list begins with `head`. Empty if the text is short, is not a list of
   * messages, or ends with a truncated message.
   */
  readonly head: string;
}

/**
 * The message lists in the texts of one trace. Each call repeats earlier messages; parsing all of them would take time proportional to the
 * square of the run's length. If a text begins with an earlier text, only the part after it is parsed.
 */
export class Histories {
  readonly #known: KnownText[] = [];

  read(text: string, fallback: MessageRole): readonly ReadMessage[] {
    if (text.length > LONGEST) return readMessages(text, fallback);
    for (let at = this.#known.length - 1; at >= 0; at--) {
      const known = this.#known[at];
      if (known === undefined || known.role !== fallback || known.text.length > text.length) continue;
      if (known.text === text) return known.messages;
      const messages = continued(known, text);
      if (messages !== undefined) return this.#retain(text, fallback, messages, known.tail);
    }
    const messages = readMessages(text, fallback);
    const begin = beginsList.exec(text);
    const tail =
      begin === null ? "" : "]".repeat(begin[2]?.length ?? 0) + (begin[1] === undefined ? "" : "}");
    return this.#retain(text, fallback, messages, tail);
  }

  #retain(text: string, role: MessageRole, messages: readonly ReadMessage[], tail: string): typeof messages {
    const isShared = tail !== "" && text.endsWith(tail) && text.length > SHORTEST_SHARED;
    const isWhole = messages[messages.length - 1]?.isCut === false;
    if (this.#known.length >= MOST_TEXTS) this.#known.shift();
    this.#known.push({
      text,
      role,
      messages,
      tail,
      head: isShared && isWhole ? text.slice(0, -tail.length) : "",
    });
    return messages;
  }
}

/** Returns the messages of `text` if it is the earlier text with appended messages; otherwise undefined. */
function continued({ head, tail, role, messages }: KnownText, text: string): ReadMessage[] | undefined {
  if (head === "" || text.charCodeAt(head.length) !== 44 || !text.startsWith(head)) return undefined;
  if (!text.endsWith(tail)) return undefined;
  const parsed = parseText(`[${text.slice(head.length + 1, -tail.length)}]`);
  if (parsed === undefined || parsed.isCut) return undefined;
  // If only chunks of content follow, the first of them continues the last known message, so the complete text is parsed.
  if (role === "assistant" && isArray(parsed.value) && parsed.value.every(isContent)) return undefined;
  const rest = readFurtherMessages(parsed.value, role, messages);
  return rest.length === 0 ? undefined : withPrintedSteps([...messages, ...rest]);
}

/** Whether an object is a message in any notation. */
export function isMessage(object: JsonObject): boolean {
  return isMessageOf(object, field.fieldsOf(object));
}
