import type { Ordered } from "../../report/render/findings/listed.ts";
import type { Key, Saving } from "../../report/render/findings/saved-findings.ts";
import { FRAME, keyOrder, type Run } from "./record-buffer.ts";

/** Runs that are iterated as one list: merged to one order, or one run after the other. */
export class Spilled<Item> implements Ordered<Item> {
  readonly isOrdered = true;
  readonly length: number;
  readonly #runs: readonly Run[];
  readonly #saving: Saving<Item>;
  readonly #merges: boolean;

  /** `merges`: by the items' keys; of equal ones that of the earlier run comes first. */
  constructor(length: number, runs: readonly Run[], saving: Saving<Item>, merges: boolean) {
    this.length = length;
    this.#runs = runs;
    this.#saving = saving;
    this.#merges = merges;
  }

  *[Symbol.iterator](): Generator<Item> {
    const size = bufferSize(this.#runs.length);
    const cursors = this.#runs.map((run, number) => new Cursor(run, number, this.#saving, size));
    if (!this.#merges) {
      for (const cursor of cursors) for (; !cursor.isDone; cursor.next()) yield cursor.item;
      return;
    }
    const heap: Cursor<Item>[] = [];
    for (const cursor of cursors.sort(byKey)) heap.push(cursor);
    for (let [top] = heap; top !== undefined; [top] = heap) {
      yield top.item;
      top.next();
      if (!top.isDone) sink(heap, top);
      else removeTop(heap);
    }
  }
}

const MOST_BUFFERS = 8 << 20;
const LARGEST = 256 << 10;
const SMALLEST = 16 << 10;

/** Bytes read at a time, so that the buffers of all runs together take little. */
function bufferSize(runs: number): number {
  return Math.max(SMALLEST, Math.min(LARGEST, Math.floor(MOST_BUFFERS / Math.max(1, runs))));
}

/** Where in a run the reading is. Until its first item is asked for nothing is read, only its key is known. */
class Cursor<Item> {
  readonly number: number;
  key: Key;
  readonly #run: Run;
  readonly #saving: Saving<Item>;
  readonly #size: number;
  /** Buffered part of the file that begins at `#from`. */
  #buffer: Buffer | undefined;
  #from: number;
  /** Where the item begins and ends in the file. */
  #at: number;
  #end: number;
  #item: Item | undefined;

  constructor(run: Run, number: number, saving: Saving<Item>, size: number) {
    this.#run = run;
    this.number = number;
    this.key = run.key;
    this.#saving = saving;
    this.#size = size;
    this.#from = this.#at = this.#end = run.from;
  }

  get isDone(): boolean {
    return this.#at >= this.#run.to;
  }

  get item(): Item {
    return (this.#item ??= this.#read());
  }

  next(): void {
    if (this.#end === this.#at) this.#read();
    this.#at = this.#end;
    this.#item = undefined;
    if (this.isDone) this.#buffer = undefined;
    else this.key = this.#saving.keyOf(this.item);
  }

  #read(): Item {
    const lengths = this.#bytes(this.#at, FRAME);
    const head = lengths.readUInt32LE(0);
    const body = lengths.readUInt32LE(4);
    const bytes = this.#bytes(this.#at + FRAME, head + body);
    this.#end = this.#at + FRAME + head + body;
    return this.#saving.read({
      head: bytes.toString("utf8", 0, head),
      body: bytes.toString("utf8", head, head + body),
    });
  }

  #bytes(at: number, length: number): Buffer {
    let buffer = this.#buffer;
    if (buffer === undefined || at < this.#from || at + length > this.#from + buffer.length) {
      const size = Math.max(this.#size, length);
      buffer = this.#buffer =
        buffer !== undefined && buffer.length === size ? buffer : Buffer.allocUnsafeSlow(size);
      this.#from = at;
      this.#run.file.read(buffer, at);
    }
    return buffer.subarray(at - this.#from, at - this.#from + length);
  }
}

function byKey<Item>(a: Cursor<Item>, b: Cursor<Item>): number {
  return keyOrder(a.key, b.key) || a.number - b.number;
}

/** Puts the first of a heap, which has grown, where it belongs. */
function sink<Item>(heap: Cursor<Item>[], one: Cursor<Item>): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    let smaller = heap[child];
    const right = heap[child + 1];
    if (smaller !== undefined && right !== undefined && byKey(right, smaller) < 0) {
      smaller = right;
      child++;
    }
    if (smaller === undefined || byKey(smaller, one) >= 0) break;
    heap[at] = smaller;
    at = child;
  }
  heap[at] = one;
}

function removeTop<Item>(heap: Cursor<Item>[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  heap[0] = last;
  sink(heap, last);
}
