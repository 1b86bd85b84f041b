import type { Batch } from "../rows/batch.ts";
import { Wire } from "./protobuf-wire.ts";

const CONTAINERS: ReadonlySet<number> = new Set([10]);
/** Tags of the containers of scopes: field 2, and field 1000 of the first OTLP versions. */
const SCOPES: ReadonlySet<number> = new Set([18, (1000 << 3) | 2]);
const RECORDS: ReadonlySet<number> = new Set([18]);
const LEVELS = [CONTAINERS, SCOPES, RECORDS];

/** Decides by its offset in the body whether a record is selected. */
export interface Wanted {
  has(start: number): boolean;
}

const nothing: ReadonlyMap<number, Uint8Array> = new Map();

/**
 * Returns a request that contains only the spans or log records whose byte offset is in `starts`, with their resources and scopes. The
 * bytes of these records stay as sent, including unknown fields. No values are decoded.
 * @param additions fields to append to a record, by the record's offset
 */
export function cutProtobuf(
  { body, view }: Pick<Batch, "body" | "view">,
  starts: Wanted,
  additions = nothing,
): Uint8Array {
  const cut = new Cut(body, view, starts, additions);
  return cut.whole(cut.select(0, body.length, 0));
}

class Cut {
  readonly #wire = new Wire();
  readonly #body: Uint8Array;
  readonly #starts: Wanted;
  readonly #additions: ReadonlyMap<number, Uint8Array>;
  /** Start and end, in the body, of each copied range. For bytes that are not from the body: -1 and an index into `#made`. */
  readonly #ranges: number[] = [];
  readonly #made: Uint8Array[] = [];

  constructor(body: Uint8Array, view: DataView, starts: Wanted, additions: ReadonlyMap<number, Uint8Array>) {
    this.#wire.view = view;
    this.#body = body;
    this.#starts = starts;
    this.#additions = additions;
  }

  /**
   * Copies the selected parts of the message at [start, end), with their containers. Returns the number of bytes; 0 if nothing is selected.
   */
  select(start: number, end: number, level: number): number {
    const wire = this.#wire;
    const before = this.#ranges.length;
    const inner = LEVELS[level];
    let length = 0;
    let any = false;
    for (let p = start; p < end;) {
      wire.varint(p);
      const tag = wire.low;
      const afterTag = wire.at;
      const next = wire.skip(this.#body[p] ?? 0, p + 1, end, 0);
      if (inner?.has(tag) !== true) {
        length += this.#take(p, next);
      } else {
        wire.varint(afterTag);
        const content = wire.at;
        const taken =
          level === 2
            ? this.#record(p, afterTag, content, next)
            : this.#container(p, afterTag, content, next, level);
        any ||= taken > 0;
        length += taken;
      }
      p = next;
    }
    if (!any) this.#ranges.length = before;
    return any ? length : 0;
  }

  /** Concatenates the copied ranges. `length`: their total number of bytes. */
  whole(length: number): Uint8Array {
    const whole = new Uint8Array(length);
    const ranges = this.#ranges;
    let at = 0;
    for (let index = 0; index < ranges.length; index += 2) {
      const from = ranges[index] ?? 0;
      const to = ranges[index + 1] ?? 0;
      const bytes = from < 0 ? (this.#made[to] ?? none) : this.#body.subarray(from, to);
      whole.set(bytes, at);
      at += bytes.length;
    }
    return whole;
  }

  #record(start: number, afterTag: number, content: number, end: number): number {
    if (!this.#starts.has(content)) return 0;
    const added = this.#additions.get(content);
    if (added === undefined) return this.#take(start, end);
    const size = this.#make(varint(end - content + added.length));
    return (
      this.#take(start, afterTag) + this.#put(size) + this.#take(content, end) + this.#put(this.#make(added))
    );
  }

  #container(start: number, afterTag: number, content: number, end: number, level: number): number {
    const before = this.#ranges.length;
    const tag = this.#take(start, afterTag);
    const size = this.#make(none);
    this.#put(size);
    const inside = this.select(content, end, level + 1);
    if (inside === 0) {
      this.#ranges.length = before;
      return 0;
    }
    const bytes = varint(inside);
    this.#made[size] = bytes;
    return tag + bytes.length + inside;
  }

  #take(from: number, to: number): number {
    this.#ranges.push(from, to);
    return to - from;
  }

  #make(bytes: Uint8Array): number {
    return this.#made.push(bytes) - 1;
  }

  #put(made: number): number {
    this.#ranges.push(-1, made);
    return this.#made[made]?.length ?? 0;
  }
}

const none = new Uint8Array(0);

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
