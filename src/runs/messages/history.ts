import { isArray, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { Message, MessageRole } from "../../model/message.ts";
import type { AttributesView, AttributeTree, TextBytes } from "../../model/span-view.ts";
import { ListHistory } from "./list-history.ts";

const MOST_MESSAGES = 20_000;

/** How the messages of a list of message objects were read. */
interface ReadList {
  readonly role: MessageRole;
  readonly messages: readonly Message[];
}

/** The message lists of one trace, which share their values and the messages made of them; see `ListHistory`. */
export class Histories {
  readonly #lists = new ListHistory();
  /** The last tree of each prefix. */
  readonly #trees = new Map<string, AttributeTree>();
  #messages = new Map<JsonObject, { readonly role: MessageRole; readonly message: Message }>();
  readonly #read = new Map<readonly JsonValue[], ReadList>();
  /** By a list of messages: the one that it continues. */
  readonly #continues = new Map<readonly Message[], readonly Message[]>();

  /** The value of a text that continues a list parsed before; undefined for any other. */
  continued(text: TextBytes): JsonValue | undefined {
    return this.#lists.continued(text);
  }

  /** Retains the list of a text that was parsed, for texts that continue it. */
  retain(text: TextBytes, value: JsonValue): void {
    this.#lists.retain(text, value);
  }

  /** The tree of indexed keys; its leading items are those of the tree read before where their attributes are equal. */
  tree(view: AttributesView, prefix: string): JsonValue | undefined {
    const before = this.#trees.get(prefix);
    const value = view.tree(prefix, before);
    if (value === undefined || !isArray(value)) return value;
    if (before !== undefined && before.value !== undefined && isArray(before.value)) {
      const count = commonItems(before.value, value);
      if (count > 0) this.#lists.share(value, { base: before.value, first: 0, count });
    }
    this.#trees.set(prefix, { view, value });
    return value;
  }

  /** The message that `read` makes of an object, made once for an object that several lists share. */
  message(
    object: JsonObject,
    role: MessageRole,
    read: (object: JsonObject, role: MessageRole) => Message,
  ): Message {
    const known = this.#messages.get(object);
    if (known?.role === role) return known.message;
    const message = read(object, role);
    if (this.#messages.size >= MOST_MESSAGES) this.#messages = new Map();
    this.#messages.set(object, { role, message });
    return message;
  }

  /**
   * The messages of a list in which each item is one; undefined for any other list.
   * @param read the message that an item is, undefined where it is none
   */
  messagesOf(
    list: readonly JsonValue[],
    role: MessageRole,
    read: (item: JsonValue, role: MessageRole) => Message | undefined,
  ): readonly Message[] | undefined {
    const shared = this.#lists.sharedItems(list);
    const base = shared === undefined ? undefined : this.#read.get(shared.base);
    const isShared = shared !== undefined && base?.role === role;
    const own: Message[] = [];
    for (let at = isShared ? shared.count : 0; at < list.length; at++) {
      const message = read(list[at] ?? null, role);
      if (message === undefined) return undefined;
      own.push(message);
    }
    const messages = isShared
      ? base.messages.slice(shared.first, shared.first + shared.count).concat(own)
      : own;
    this.#read.set(list, { role, messages });
    if (isShared && shared.first === 0 && shared.count === base.messages.length)
      this.#continues.set(messages, base.messages);
    return messages;
  }

  /** The list of messages with which `messages` begins; undefined where none is known. */
  continuedBy(messages: readonly Message[]): readonly Message[] | undefined {
    return this.#continues.get(messages);
  }
}

/** How many leading items of two lists are the same objects. */
function commonItems(a: readonly JsonValue[], b: readonly JsonValue[]): number {
  let count = 0;
  while (count < a.length && count < b.length && typeof a[count] === "object" && a[count] === b[count])
    count++;
  return count;
}
