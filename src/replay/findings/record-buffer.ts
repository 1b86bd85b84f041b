import type { Key, Saving } from "../../report/render/findings/saved-findings.ts";
import { byPlace, compare } from "../../report/render/findings/reported.ts";
import type { TemporaryFile } from "./temporary-file.ts";

/** A part of a file in which records stand one after the other. */
export interface Run {
  readonly file: TemporaryFile;
  readonly from: number;
  readonly to: number;
  /** Number of its first record. */
  readonly key: Key;
}

/** Record prefix: the lengths of head and body. */
export const FRAME = 8;

/** The order of reports. */
export function keyOrder(a: Key, b: Key): number {
  return byPlace(a.place, b.place) || compare(a.second, b.second);
}

interface Placed {
  readonly key: Key;
  readonly from: number;
  readonly to: number;
}

/**
 * Records that wait to be written together. They are outside the heap: findings kept as objects until then would grow old, and have all of it
 * scanned again and again.
 */
export class RecordBuffer<Item> {
  readonly #saving: Saving<Item>;
  #bytes: Buffer;
  #placed: Placed[] = [];
  #end = 0;

  constructor(saving: Saving<Item>, size: number) {
    this.#saving = saving;
    this.#bytes = Buffer.allocUnsafeSlow(size);
  }

  get isEmpty(): boolean {
    return this.#placed.length === 0;
  }

  /** False where there is no room for the item before others are written; one that is larger than all of the room gets more. */
  add(item: Item): boolean {
    const { head, body } = this.#saving.save(item);
    const headLength = Buffer.byteLength(head);
    const bodyLength = Buffer.byteLength(body);
    const from = this.#end;
    const to = from + FRAME + headLength + bodyLength;
    if (to > this.#bytes.length) {
      if (from > 0) return false;
      this.#bytes = Buffer.allocUnsafeSlow(to);
    }
    this.#bytes.writeUInt32LE(headLength, from);
    this.#bytes.writeUInt32LE(bodyLength, from + 4);
    this.#bytes.write(head, from + FRAME);
    this.#bytes.write(body, from + FRAME + headLength);
    this.#placed.push({ key: this.#saving.keyOf(item), from, to });
    this.#end = to;
    return true;
  }

  /** Writes the records, in the order of their keys or as they came, and is empty again. Undefined where there are none. */
  write(file: TemporaryFile, isOrdered: boolean): Run | undefined {
    const placed = this.#placed;
    if (isOrdered && !isInOrder(placed)) placed.sort((a, b) => keyOrder(a.key, b.key));
    const [first] = placed;
    if (first === undefined) return undefined;
    const from = file.length;
    for (const [start, end] of adjacentRanges(placed)) file.append(this.#bytes.subarray(start, end));
    this.#placed = [];
    this.#end = 0;
    return { file, from, to: file.length, key: first.key };
  }
}

function isInOrder(placed: readonly Placed[]): boolean {
  let before: Key | undefined;
  for (const { key } of placed) {
    if (before !== undefined && keyOrder(before, key) > 0) return false;
    before = key;
  }
  return true;
}

/** Records that stand one after the other in memory as well are written at once. */
function* adjacentRanges(placed: readonly Placed[]): Generator<readonly [start: number, end: number]> {
  let [start, end] = [0, 0];
  for (const { from, to } of placed) {
    if (from !== end) {
      if (end > start) yield [start, end];
      start = from;
    }
    end = to;
  }
  if (end > start) yield [start, end];
}
