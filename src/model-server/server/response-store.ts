import { isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { listAt, nameAt, objectsAt } from "../protocols/fields.ts";
import { conversationId, inputItems } from "../protocols/openai-responses/read-request.ts";

/** Limits of a `ResponseStore`, which drops the oldest entries first. */
export interface StoreBounds {
  readonly entries: number;
  /** Maximum bytes of the items of all entries, as JSON. */
  readonly bytes: number;
}

const usualBounds: StoreBounds = { entries: 10_000, bytes: 64 * 2 ** 20 };
const MOST_ITEMS = 100_000;

/** One entry of the store: items that a request and its answer, or a client, added to a response or conversation. */
interface Stored {
  /** The response; null for a conversation. */
  readonly response: JsonObject | null;
  /** Items that this entry added. Earlier items are in the entry `before`. */
  readonly items: readonly JsonObject[];
  /** Key of the entry that this entry continues; null if it continues none. */
  readonly before: number | null;
  readonly bytes: number;
}

/**
 * Stores responses and conversations, as OpenAI's servers do. A later request can refer to a stored object or item by its id, instead of
 * repeating the history.
 */
export class ResponseStore {
  readonly #bounds: StoreBounds;
  /** Entries in insertion order. */
  readonly #stored = new Map<number, Stored>();
  /** Key of the newest entry of each response and conversation, by its id. */
  readonly #keys = new Map<string, number>();
  readonly #items = new Map<string, { readonly item: JsonObject; readonly entry: number }>();
  #lastKey = 0;
  #bytes = 0;

  constructor(bounds: StoreBounds = usualBounds) {
    this.#bounds = bounds;
  }

  /** Size of the stored items in bytes. */
  get keptBytes(): number {
    return this.#bytes;
  }

  /** Returns the request with the stored history that it refers to, as if the client had sent the complete history. */
  expand(body: JsonValue): JsonValue {
    if (!isObject(body)) return body;
    const given = inputItems(body["input"]);
    if (given === null) return body;
    const before = this.#before(body);
    const hasReferences = given.some(({ type }) => type === "item_reference");
    if (before === null && !hasReferences) return body;
    const own = given.map((item) => this.#referred(item) ?? item);
    return { ...body, input: [...this.#historyOf(before), ...own] };
  }

  /** Stores a response and its request. The request is the one that the client sent, before `expand`. */
  add(body: JsonValue, response: JsonValue): void {
    if (!isObject(body) || !isObject(response)) return;
    const id = nameAt(response, "id");
    if (id === null) return;
    const asked = (inputItems(body["input"]) ?? []).map((item) => this.#referred(item) ?? item);
    const answered = objectsAt(response, "output");
    const conversation = conversationId(body["conversation"]);
    const ids = conversation === null ? [id] : [id, conversation];
    const key = this.#keep(ids, { response, items: [...asked, ...answered], before: this.#before(body) });
    for (const item of answered) {
      const itemId = nameAt(item, "id");
      if (itemId !== null) keepNewest(this.#items, itemId, { item, entry: key }, MOST_ITEMS);
    }
  }

  /** Creates a conversation with its first items. */
  open(id: string, body: JsonValue): void {
    const items = isObject(body) ? listAt(body, "items").filter(isObject) : [];
    this.#keep([id], { response: null, items, before: null });
  }

  /** Adds items to a conversation. Returns false if the conversation is unknown. */
  append(id: string, items: readonly JsonObject[]): boolean {
    const before = this.#entryOf(id);
    if (before === null) return false;
    this.#keep([id], { response: null, items, before });
    return true;
  }

  response(id: string): JsonObject | null {
    const key = this.#entryOf(id);
    return key === null ? null : (this.#stored.get(key)?.response ?? null);
  }

  /** Returns all items of a conversation, oldest first; null if the conversation is unknown. */
  items(id: string): readonly JsonObject[] | null {
    const key = this.#entryOf(id);
    return key === null ? null : this.#historyOf(key);
  }

  #keep(ids: readonly string[], entry: Omit<Stored, "bytes">): number {
    const key = ++this.#lastKey;
    const bytes = Buffer.byteLength(JSON.stringify(entry.items));
    this.#stored.set(key, { ...entry, bytes });
    this.#bytes += bytes;
    for (const id of ids) keepNewest(this.#keys, id, key, this.#bounds.entries * 2);
    for (const [oldest, stored] of this.#stored) {
      if (this.#stored.size <= this.#bounds.entries && this.#bytes <= this.#bounds.bytes) break;
      this.#drop(oldest, stored);
    }
    return key;
  }

  #drop(key: number, { items, bytes }: Stored): void {
    this.#stored.delete(key);
    this.#bytes -= bytes;
    for (const item of items) {
      const id = nameAt(item, "id");
      if (id !== null && this.#items.get(id)?.entry === key) this.#items.delete(id);
    }
  }

  #entryOf(id: string): number | null {
    const key = this.#keys.get(id);
    return key !== undefined && this.#stored.has(key) ? key : null;
  }

  #before(body: JsonObject): number | null {
    const id = nameAt(body, "previous_response_id") ?? conversationId(body["conversation"]);
    return id === null ? null : this.#entryOf(id);
  }

  #referred({ type, id }: JsonObject): JsonObject | undefined {
    if (type !== "item_reference" || typeof id !== "string") return undefined;
    const kept = this.#items.get(id);
    return kept !== undefined && this.#stored.has(kept.entry) ? kept.item : undefined;
  }

  #historyOf(last: number | null): readonly JsonObject[] {
    const parts: (readonly JsonObject[])[] = [];
    for (let key = last; key !== null;) {
      const stored = this.#stored.get(key);
      if (stored === undefined) break;
      parts.push(stored.items);
      key = stored.before;
    }
    return parts.reverse().flat();
  }
}

/** Adds or moves an entry to the end of the map, and drops the oldest entries above `most`. */
function keepNewest<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}
