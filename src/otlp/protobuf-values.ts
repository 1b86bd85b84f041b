import { ATTRIBUTE_WIDTH, MAX_DEPTH, ValueType } from "./columns.ts";
import { internKey } from "./attribute-symbols.ts";
import { fields, overlong, type Wire } from "./protobuf-wire.ts";
import type { Table } from "./row-tables.ts";

const VALUE_FIELDS = fields(1, 2, 3, 4, 5, 6, 7);
const PAIR_FIELDS = fields(1, 2);
const LIST_FIELDS = fields(1);

/** Reads `AnyValue` and `KeyValue` messages. The value last read is in the fields. */
export class ValueReader {
  type: number = ValueType.empty;
  first = 0;
  second = 0;
  /** Set when a value nested too deep was met; whoever asks resets it. */
  tooDeep = false;
  /** Values given as an index into a string table, which only profiles have. */
  stringIndexes = 0;
  private readonly wire: Wire;

  constructor(wire: Wire) {
    this.wire = wire;
  }

  clear(): void {
    this.type = ValueType.empty;
    this.first = 0;
    this.second = 0;
  }

  /** Reads one `KeyValue` and appends an attribute to `table`; false when the table takes no more. */
  attribute(start: number, end: number, table: Table): boolean {
    const { view } = this.wire;
    let p = start;
    let keyAt = start;
    let keyLength = 0;
    this.clear();
    while (p < end) {
      const tag = view.getUint8(p++);
      if (tag !== 10 && tag !== 18) {
        p = this.wire.skip(tag, p, end, PAIR_FIELDS);
        continue;
      }
      let length = view.getUint8(p++);
      if (length > 127) {
        length = this.wire.length(length, p);
        p = this.wire.at;
      }
      const next = p + length;
      if (next > end) throw overlong(p);
      if (tag === 10) {
        keyAt = p;
        keyLength = length;
      } else this.value(p, next, 1);
      p = next;
    }
    const at = table.claim(ATTRIBUTE_WIDTH);
    if (at < 0) return false;
    const symbol = internKey(view, keyAt, keyLength);
    const { data } = table;
    if (symbol >= 0) {
      data[at] = (symbol << 8) | this.type;
      data[at + 1] = this.first;
      data[at + 2] = this.second;
    } else {
      data[at] = ValueType.pair;
      data[at + 1] = start;
      data[at + 2] = end - start;
    }
    return true;
  }

  /** Reads one `AnyValue` into the fields, which keep what they hold when the message is empty. */
  value(start: number, end: number, depth: number): void {
    const { view } = this.wire;
    let p = start;
    while (p < end) {
      const tag = view.getUint8(p++);
      switch (tag) {
        case 10:
        case 42:
        case 50:
        case 58: {
          let length = view.getUint8(p++);
          if (length > 127) {
            length = this.wire.length(length, p);
            p = this.wire.at;
          }
          const next = p + length;
          if (next > end) throw overlong(p);
          if (tag === 10) this.type = ValueType.text;
          else if (tag === 58) this.type = ValueType.bytes;
          else {
            this.checkList(p, next, tag === 50, depth);
            this.type = tag === 42 ? ValueType.array : ValueType.map;
          }
          this.first = p;
          this.second = length;
          p = next;
          break;
        }
        case 16:
          p = this.varint(p, end);
          this.type = ValueType.bool;
          this.first = (this.wire.low | this.wire.high) === 0 ? 0 : 1;
          this.second = 0;
          break;
        case 24:
          p = this.varint(p, end);
          this.type = ValueType.int;
          this.first = this.wire.low;
          this.second = this.wire.high;
          break;
        case 33:
          if (p + 8 > end) throw overlong(p);
          this.type = ValueType.double;
          this.first = view.getInt32(p, true);
          this.second = view.getInt32(p + 4, true);
          p += 8;
          break;
        default:
          if (tag === 64) this.stringIndexes++;
          p = this.wire.skip(tag, p, end, VALUE_FIELDS);
      }
    }
  }

  /** Checks the inside of an array or map, whose `AnyValue` is at `depth`, without keeping it. */
  private checkList(start: number, end: number, map: boolean, depth: number): void {
    const { view } = this.wire;
    let p = start;
    while (p < end) {
      const tag = view.getUint8(p++);
      if (tag !== 10) {
        p = this.wire.skip(tag, p, end, LIST_FIELDS);
        continue;
      }
      const next = this.message(p, end);
      p = this.wire.at;
      if (map) this.checkPair(p, next, depth + 1);
      else this.checkNested(p, next, depth + 1);
      p = next;
    }
  }

  private checkPair(start: number, end: number, depth: number): void {
    const { view } = this.wire;
    let p = start;
    while (p < end) {
      const tag = view.getUint8(p++);
      if (tag !== 10 && tag !== 18) {
        p = this.wire.skip(tag, p, end, PAIR_FIELDS);
        continue;
      }
      const next = this.message(p, end);
      if (tag === 18) this.checkNested(this.wire.at, next, depth);
      p = next;
    }
  }

  private checkNested(start: number, end: number, depth: number): void {
    if (depth > MAX_DEPTH) this.tooDeep = true;
    else this.value(start, end, depth);
  }

  /** Where the length-delimited field at `p` ends; its content begins at `wire.at`. */
  private message(p: number, end: number): number {
    const first = this.wire.view.getUint8(p++);
    this.wire.at = p;
    const length = first > 127 ? this.wire.length(first, p) : first;
    const next = this.wire.at + length;
    if (next > end) throw overlong(p);
    return next;
  }

  private varint(p: number, end: number): number {
    this.wire.varint(p);
    if (this.wire.at > end) throw overlong(p);
    return this.wire.at;
  }
}
