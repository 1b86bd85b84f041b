import { isArray, type JsonValue } from "../../model/json.ts";
import { symbolSegments } from "./attribute-symbols.ts";
import type { Batch } from "../rows/batch.ts";
import { sameBytes } from "../bytes/byte-table.ts";
import { ATTRIBUTE_WIDTH, ValueType } from "../rows/columns.ts";
import { type KeysBelow, keysBelow } from "./keys-below.ts";
import { MAX_LEAVES, TreeBuilder } from "./tree.ts";
import { keyAt, valueAt } from "./values.ts";

/** Maximum number of attributes in which indexed keys are searched. */
const MOST_SEARCHED = 65_536;

/**
 * The attributes of a set whose keys begin with a prefix, and the nested value that they form. Example: below the prefix `a`, the keys
 * `a.0.b` and `a.1.b` form a list of two objects.
 */
export class IndexedAttributes {
  readonly #batch: Batch;
  /** Positions in the batch's rows of the attributes below the prefix, in the order received. */
  readonly #rows: Int32Array;
  readonly #below: KeysBelow;

  constructor(batch: Batch, start: number, size: number, prefix: string) {
    this.#batch = batch;
    const below = (this.#below = keysBelow(prefix));
    const { rows } = batch;
    const end = start + Math.min(size, MOST_SEARCHED) * ATTRIBUTE_WIDTH;
    let found: Int32Array | undefined;
    let count = 0;
    for (let at = start; at < end; at += ATTRIBUTE_WIDTH) {
      const head = rows[at] as number;
      const isBelow =
        (head & 255) === ValueType.pair ? below.hasName(keyAt(batch, at)) : below.has(head >>> 8);
      if (!isBelow) continue;
      // Allocates the maximum size at once: a growing array would need several times its final length.
      found ??= new Int32Array((end - at) / ATTRIBUTE_WIDTH);
      found[count++] = at;
    }
    this.#rows = found === undefined ? new Int32Array(0) : found.subarray(0, count);
  }

  /** Returns the nested value; `undefined` if no key begins with the prefix. */
  tree(): JsonValue | undefined {
    return this.#build(0);
  }

  /**
   * Returns the same value as `tree`. `items` is the list that `like` built earlier. Its items are reused up to the first item whose
   * attributes differ from those here.
   */
  treeLike(like: IndexedAttributes, items: readonly JsonValue[]): JsonValue | undefined {
    const shared = Math.min(this.#itemsEqualTo(like), items.length);
    if (shared === 0) return this.tree();
    const first = this.#rows.findIndex((at) => this.#itemAt(at) >= shared);
    if (first < 0) return items.length === shared ? items : items.slice(0, shared);
    const rest = this.#build(first);
    if (!isArray(rest)) return this.tree();
    return items.slice(0, shared).concat(rest);
  }

  #build(from: number): JsonValue | undefined {
    const builder = new TreeBuilder();
    for (let index = from; index < this.#rows.length; index++) {
      const at = this.#rows[index] as number;
      builder.add(this.#partsAt(at), this.#below.depth, valueAt(this.#batch, at) ?? null);
    }
    return builder.result();
  }

  #partsAt(at: number): readonly string[] {
    const head = this.#batch.rows[at] as number;
    return (head & 255) === ValueType.pair ? keyAt(this.#batch, at).split(".") : symbolSegments(head >>> 8);
  }

  /** Returns the index of the list item to which the attribute at `at` belongs; NaN if the attribute's key has no index. */
  #itemAt(at: number): number {
    const head = this.#batch.rows[at] as number;
    return (head & 255) === ValueType.pair
      ? this.#below.itemOfName(keyAt(this.#batch, at))
      : this.#below.itemOf(head >>> 8);
  }

  /**
   * Returns how many of the first items have the same attributes, in the same order, as in `like`. Returns 0 if the items are not in
   * ascending order.
   */
  #itemsEqualTo(like: IndexedAttributes): number {
    if (this.#rows.length > MAX_LEAVES || this.#below.depth !== like.#below.depth) return 0;
    let equal = 0;
    while (equal < this.#rows.length && equal < like.#rows.length && this.#equals(equal, like)) equal++;
    return Math.min(this.#orderedUntil(equal), like.#orderedUntil(equal));
  }

  #equals(index: number, like: IndexedAttributes): boolean {
    const [a, b] = [this.#rows[index] as number, like.#rows[index] as number];
    const [mine, other] = [this.#batch.rows, like.#batch.rows];
    const head = mine[a] as number;
    if (head !== other[b]) return false;
    const type = head & 255;
    const [first, second] = [mine[a + 1] as number, mine[a + 2] as number];
    if (type === ValueType.text || type === ValueType.escapedText)
      return (
        second === other[b + 2] &&
        sameBytes(this.#batch.view, first, like.#batch.view, other[b + 1] as number, second)
      );
    return isNumber(type) && first === other[b + 1] && second === other[b + 2];
  }

  /**
   * Returns how many of the first items are complete before attribute `end`. Returns 0 if the items before `end` are not in ascending order
   * without gaps, or if attributes of one item are separated by those of another.
   */
  #orderedUntil(end: number): number {
    let item = -1;
    for (let index = 0; index < end; index++) {
      const next = this.#itemAt(this.#rows[index] as number);
      if (next !== item && next !== item + 1) return 0;
      item = next;
    }
    let whole = item + 1;
    for (let index = end; index < this.#rows.length; index++) {
      const next = this.#itemAt(this.#rows[index] as number);
      if (Number.isNaN(next)) return 0;
      whole = Math.min(whole, next);
    }
    return Math.max(whole, 0);
  }
}

function isNumber(type: number): boolean {
  return type === ValueType.int || type === ValueType.double || type === ValueType.bool;
}
