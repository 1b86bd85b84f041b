import { MOST_SPAN_ATTRIBUTES, MOST_SPAN_NODES } from "../../model/decoded-bounds.ts";
import type { Encoding } from "./batch.ts";
import { ATTRIBUTE_WIDTH, ValueType } from "./columns.ts";
import type { Table } from "./row-tables.ts";
import { nodesIn } from "./structured-bytes.ts";

/** A span or record of fewer bytes cannot become large. */
export const BOUNDED_FROM_BYTES = 128 << 10;
/** Nor can a value of fewer bytes be one of those that make it so, but together: these are counted as if they were values throughout. */
const COUNTED_FROM_BYTES = 1024;

/** Keeps what is decoded of one span or log record within bounds. */
export class ValueBounds {
  readonly #view: DataView;
  readonly #isProtobuf: boolean;
  #left = MOST_SPAN_NODES;

  constructor(view: DataView, encoding: Encoding) {
    this.#view = view;
    this.#isProtobuf = encoding === "protobuf";
  }

  /** Takes the attributes from `start` on out of the table that are too many or too costly; returns how many. */
  removeFrom(table: Table, start: number): number {
    const { data } = table;
    const before = table.size;
    const end = Math.min(before, start + MOST_SPAN_ATTRIBUTES * ATTRIBUTE_WIDTH);
    let to = start;
    for (let at = start; at < end; at += ATTRIBUTE_WIDTH) {
      if (!this.holds((data[at] as number) & 255, data[at + 1] as number, data[at + 2] as number)) continue;
      data.copyWithin(to, at, at + ATTRIBUTE_WIDTH);
      to += ATTRIBUTE_WIDTH;
    }
    table.size = to;
    return (before - to) / ATTRIBUTE_WIDTH;
  }

  /** Empties the values from `start` on that are too costly, where places are pointed to; returns how many. */
  emptyFrom(table: Table, start: number): number {
    const { data } = table;
    let emptied = 0;
    for (let at = start; at < table.size; at += ATTRIBUTE_WIDTH) {
      const head = data[at] as number;
      const type = head & 255;
      if (type === ValueType.pair || this.holds(type, data[at + 1] as number, data[at + 2] as number))
        continue;
      data[at] = (head & ~255) | ValueType.empty;
      emptied++;
    }
    return emptied;
  }

  /** Whether the value fits in with those before it. */
  holds(type: number, first: number, second: number): boolean {
    const isSmall = second < COUNTED_FROM_BYTES;
    const nodes = isSmall ? 1 : nodesIn(this.#view, this.#isProtobuf, type, first, second, this.#left);
    if (nodes > this.#left) return false;
    this.#left -= nodes;
    return true;
  }
}
