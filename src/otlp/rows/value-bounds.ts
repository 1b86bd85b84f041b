import { MOST_SPAN_ATTRIBUTES, MOST_SPAN_NODES } from "../../model/decoded-bounds.ts";
import type { Encoding } from "./batch.ts";
import { ATTRIBUTE_WIDTH, EVENT_WIDTH, EventColumn, LINK_WIDTH, ValueType } from "./columns.ts";
import type { Table } from "./row-tables.ts";
import { nodesIn } from "./structured-bytes.ts";

/** Spans and log records with fewer bytes are not checked: so few bytes cannot decode into much memory. */
export const BOUNDED_FROM_BYTES = 128 << 10;
/** A value with fewer bytes counts as one value. In a larger value, the nested values are counted. */
const COUNTED_FROM_BYTES = 1024;

/** Limits the number of decoded values in one span or log record. */
export class ValueBounds {
  readonly #view: DataView;
  readonly #isProtobuf: boolean;
  #left = MOST_SPAN_NODES;

  constructor(view: DataView, encoding: Encoding) {
    this.#view = view;
    this.#isProtobuf = encoding === "protobuf";
  }

  /**
   * Removes attributes, from position `start` on, that exceed the maximum number or are too expensive to decode. Returns the number of
   * removed attributes.
   */
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

  /**
   * Removes events, from position `start` on, that exceed the maximum number of events or of their attributes. In the remaining events,
   * empties values that are too expensive to decode. If a value cannot be emptied, removes its event and all later events. Returns the
   * number of removed events plus the number of emptied values.
   */
  removeEventsFrom(events: Table, start: number, attributes: Table, attributesStart: number): number {
    const end = events.size;
    const mostAttributes = attributesStart + MOST_SPAN_ATTRIBUTES * ATTRIBUTE_WIDTH;
    let emptied = 0;
    for (let row = start; row < end; row += EVENT_WIDTH) {
      const from = (events.data[row + EventColumn.attributes] as number) * ATTRIBUTE_WIDTH;
      const to = from + (events.data[row + EventColumn.attributes + 1] as number) * ATTRIBUTE_WIDTH;
      const isOver = (row - start) / EVENT_WIDTH >= MOST_SPAN_ATTRIBUTES || to > mostAttributes;
      const empty = isOver ? -1 : this.emptyBetween(attributes.data, from, to);
      if (empty >= 0) {
        emptied += empty;
        continue;
      }
      events.size = row;
      attributes.size = from;
      return emptied + (end - row) / EVENT_WIDTH;
    }
    return emptied;
  }

  /** Removes links, from position `start` on, that exceed the maximum number. Returns the number of removed links. */
  removeLinksFrom(links: Table, start: number): number {
    const before = links.size;
    links.size = Math.min(before, start + MOST_SPAN_ATTRIBUTES * LINK_WIDTH);
    return (before - links.size) / LINK_WIDTH;
  }

  /**
   * Empties values that are too expensive to decode. Returns the number of emptied values; -1 if a value cannot be emptied, because its
   * attribute's key has no symbol.
   */
  private emptyBetween(data: Int32Array, from: number, to: number): number {
    let emptied = 0;
    for (let at = from; at < to; at += ATTRIBUTE_WIDTH) {
      const head = data[at] as number;
      const type = head & 255;
      if (this.holds(type, data[at + 1] as number, data[at + 2] as number)) continue;
      if (type === ValueType.pair) return -1;
      data[at] = (head & ~255) | ValueType.empty;
      emptied++;
    }
    return emptied;
  }

  /** Whether the value still fits into the limit, together with all values before it. If so, adds its size to the total. */
  holds(type: number, first: number, second: number): boolean {
    const isSmall = second < COUNTED_FROM_BYTES;
    const nodes = isSmall ? 1 : nodesIn(this.#view, this.#isProtobuf, type, first, second, this.#left);
    if (nodes > this.#left) return false;
    this.#left -= nodes;
    return true;
  }
}
