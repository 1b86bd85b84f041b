import { isArray, type JsonValue } from "../../model/json.ts";
import type { Message, MessageRole } from "../../model/message.ts";
import type { AttributesView, AttributeTree, TextBytes } from "../../model/telemetry/span-view.ts";
import { ListHistory } from "./list-history.ts";

/** How the messages of a list of message objects were read. */
interface ReadList {
  readonly role: MessageRole;
  readonly messages: readonly Message[];
}

/** So many values of a trace are parsed by themselves before long ones are compared: most runs are shorter. */
const APART = 8;
/** Texts of fewer bytes are parsed sooner than they are compared. */
const SHORTEST_SHARED = 2_048;
/** After so many values a trace is a conversation in which all texts are compared. */
const MANY_VALUES = 64;

/** The message lists of one trace, which share their values and the messages made of them; see `ListHistory`. */
export class Histories {
  readonly #lists = new ListHistory();
  /** Values of fields that were read. */
  #values = 0;
  /** The last tree of each prefix. */
  #trees: Map<string, AttributeTree> | undefined;
  #read: Map<readonly JsonValue[], ReadList> | undefined;
  /** By a list of messages: the one that it continues. */
  #continues: Map<readonly Message[], readonly Message[]> | undefined;

  /** Counts a value that is about to be read; true where its text may be worth comparing with earlier ones. */
  mayShare(): boolean {
    return this.#values++ >= APART;
  }

  /** Whether a text is long enough for comparing it to cost less than parsing it. */
  isWorthComparing({ start, end }: TextBytes): boolean {
    return end - start >= SHORTEST_SHARED || this.#values > MANY_VALUES;
  }

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
    const before = this.#trees?.get(prefix);
    const value = view.tree(prefix, before);
    if (value === undefined || !isArray(value)) return value;
    if (before !== undefined && before.value !== undefined && isArray(before.value)) {
      const count = commonItems(before.value, value);
      if (count > 0) this.#lists.share(value, { base: before.value, first: 0, count });
    }
    (this.#trees ??= new Map()).set(prefix, { view, value });
    return value;
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
    const known = this.#read?.get(list);
    if (known?.role === role) return known.messages;
    const shared = this.#lists.sharedItems(list);
    const base = shared === undefined ? undefined : this.#read?.get(shared.base);
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
    (this.#read ??= new Map()).set(list, { role, messages });
    if (isShared && shared.first === 0 && shared.count === base.messages.length)
      (this.#continues ??= new Map()).set(messages, base.messages);
    return messages;
  }

  /** The list of messages with which `messages` begins; undefined where none is known. */
  continuedBy(messages: readonly Message[]): readonly Message[] | undefined {
    return this.#continues?.get(messages);
  }
}

/** How many leading items of two lists are the same objects. */
function commonItems(a: readonly JsonValue[], b: readonly JsonValue[]): number {
  let count = 0;
  while (count < a.length && count < b.length && typeof a[count] === "object" && a[count] === b[count])
    count++;
  return count;
}
