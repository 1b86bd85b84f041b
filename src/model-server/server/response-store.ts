import { isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { listAt, nameAt, objectsAt } from "../protocols/fields.ts";
import { conversationId, inputItems } from "../protocols/openai-responses/read-request.ts";

/** How many responses are kept; the oldest ones are dropped. */
const MOST_RESPONSES = 10_000;
const MOST_ITEMS = 100_000;

/** What was said up to a response or in a conversation: a request's items and those of the answer. */
interface Stored {
  /** Null for a conversation that has no response yet. */
  readonly response: JsonObject | null;
  /** Those that only this response has; what was before is `before`. */
  readonly items: readonly JsonObject[];
  readonly before: Stored | null;
}

/**
 * What OpenAI keeps of responses and conversations: a later request names them, or single items of them, in place of repeating what was
 * said.
 */
export class ResponseStore {
  readonly #stored = new Map<string, Stored>();
  readonly #items = new Map<string, JsonObject>();

  /** The request with all that it goes on from, as if the client had sent the whole history. */
  expand(body: JsonValue): JsonValue {
    if (!isObject(body)) return body;
    const given = inputItems(body["input"]);
    if (given === null) return body;
    const before = this.#before(body);
    const hasReferences = given.some(({ type }) => type === "item_reference");
    if (before === null && !hasReferences) return body;
    const own = given.map((item) => this.#referred(item) ?? item);
    return { ...body, input: [...historyOf(before), ...own] };
  }

  /** Keeps a response with the request, as it was sent, that it answers. */
  add(body: JsonValue, response: JsonValue): void {
    if (!isObject(body) || !isObject(response)) return;
    const id = nameAt(response, "id");
    if (id === null) return;
    const asked = (inputItems(body["input"]) ?? []).map((item) => this.#referred(item) ?? item);
    const answered = objectsAt(response, "output");
    for (const item of answered) {
      const itemId = nameAt(item, "id");
      if (itemId !== null) keep(this.#items, itemId, item, MOST_ITEMS);
    }
    const stored = { response, items: [...asked, ...answered], before: this.#before(body) };
    keep(this.#stored, id, stored, MOST_RESPONSES);
    const conversation = conversationId(body["conversation"]);
    if (conversation !== null) keep(this.#stored, conversation, stored, MOST_RESPONSES);
  }

  /** Begins a conversation with the items that are given for it. */
  open(id: string, body: JsonValue): void {
    const items = isObject(body) ? listAt(body, "items").filter(isObject) : [];
    keep(this.#stored, id, { response: null, items, before: null }, MOST_RESPONSES);
  }

  /** Adds items to a conversation; false for one that is not known. */
  append(id: string, items: readonly JsonObject[]): boolean {
    const before = this.#stored.get(id);
    if (before === undefined) return false;
    keep(this.#stored, id, { response: null, items, before }, MOST_RESPONSES);
    return true;
  }

  response(id: string): JsonObject | null {
    return this.#stored.get(id)?.response ?? null;
  }

  /** All items of a conversation, oldest first; null for one that is not known. */
  items(id: string): readonly JsonObject[] | null {
    const stored = this.#stored.get(id);
    return stored === undefined ? null : historyOf(stored);
  }

  #before(body: JsonObject): Stored | null {
    const id = nameAt(body, "previous_response_id") ?? conversationId(body["conversation"]);
    return id === null ? null : (this.#stored.get(id) ?? null);
  }

  #referred({ type, id }: JsonObject): JsonObject | undefined {
    return type === "item_reference" && typeof id === "string" ? this.#items.get(id) : undefined;
  }
}

function historyOf(last: Stored | null): readonly JsonObject[] {
  const parts: (readonly JsonObject[])[] = [];
  for (let stored = last; stored !== null; stored = stored.before) parts.push(stored.items);
  return parts.reverse().flat();
}

function keep<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}
