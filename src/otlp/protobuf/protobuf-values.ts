import { ATTRIBUTE_WIDTH, MAX_DEPTH, ValueType } from "../rows/columns.ts";
import { internKey } from "../attributes/attribute-symbols.ts";
import { fields, overlong, type Wire } from "./protobuf-wire.ts";
import type { Table } from "../rows/row-tables.ts";

const VALUE_FIELDS = fields(1, 2, 3, 4, 5, 6, 7);
const PAIR_FIELDS = fields(1, 2);
const LIST_FIELDS = fields(1);
/** A key with this many or more bytes is not read by the fast path. */
const NO_KEY = 128;

/** Reads `AnyValue` and `KeyValue` messages. After each, the fields `type`, `first` and `second` contain the value. */
export class ValueReader {
  type: number = ValueType.empty;
  first = 0;
  second = 0;
  /** Whether a value was nested too deeply. The caller resets this field. */
  tooDeep = false;
  /** Number of attributes that did not fit into the table. The caller resets this number. */
  left = 0;
  /**
   * Number of values that are indices into a string table. Such values are invalid here, because OTLP has string tables only for profiles.
   */
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

  /**
   * Reads the `KeyValue` at `p` (after its tag), and all directly following fields with the same tag, into `table`. Attributes above the
   * table's limit are only counted, in `left`. Returns the position after the last `KeyValue`. Most of a span's reading time is spent in
   * this loop, so the loop itself reads the usual form: a short key with a text, a boolean or a small integer. `attribute` reads any other
   * form.
   */
  attributes(p: number, end: number, tag: number, table: Table): number {
    const { wire } = this;
    const { view } = wire;
    let at = p;
    for (;;) {
      let length = view.getUint8(at++);
      if (length > 127) {
        length = wire.length(length, at);
        at = wire.at;
      }
      const next = at + length;
      if (next > end) throw overlong(at);
      const key = at + 2;
      const keyLength = length < 8 || view.getUint8(at) !== 10 ? NO_KEY : view.getUint8(at + 1);
      let value = key + keyLength;
      let type: number = ValueType.empty;
      let first = 0;
      let second = 0;
      if (keyLength < 128 && value + 4 <= next && view.getUint8(value) === 18) {
        length = view.getUint8(value + 1);
        value += 2;
        if (length > 127) {
          length = wire.length(length, value);
          value = wire.at;
        }
        if (value + length === next) {
          const variant = view.getUint8(value);
          first = view.getUint8(value + 1);
          value += 2;
          if (variant === 10) {
            second = first;
            if (second > 127) {
              second = wire.length(second, value);
              value = wire.at;
            }
            first = value;
            if (value + second === next) type = ValueType.text;
          } else if (variant === 24 && first < 128 && value === next) type = ValueType.int;
          else if (variant === 16 && first < 2 && value === next) type = ValueType.bool;
          else if (variant === 24 && value + 1 === next) {
            second = view.getUint8(value);
            first = (first & 127) | (second << 7);
            if (second < 128) type = ValueType.int;
            second = 0;
          }
        }
      }
      const symbol = type === ValueType.empty ? -1 : internKey(view, key, keyLength);
      const row = symbol < 0 ? -1 : table.claim(ATTRIBUTE_WIDTH);
      if (row < 0) this.attribute(at, next, table);
      else {
        const { data } = table;
        data[row] = (symbol << 8) | type;
        data[row + 1] = first;
        data[row + 2] = second;
      }
      if (next === end || view.getUint8(next) !== tag) return next;
      at = next + 1;
    }
  }

  /** Reads a `KeyValue` of any form. Slower than the loop in `attributes`. */
  attribute(start: number, end: number, table: Table): void {
    const { wire } = this;
    const { view } = wire;
    let p = start;
    let keyAt = start;
    let keyLength = 0;
    this.clear();
    while (p < end) {
      const tag = view.getUint8(p++);
      if (tag !== 10 && tag !== 18) {
        p = wire.skip(tag, p, end, PAIR_FIELDS);
        continue;
      }
      let length = view.getUint8(p++);
      if (length > 127) {
        length = wire.length(length, p);
        p = wire.at;
      }
      const next = p + length;
      if (next > end) throw overlong(p);
      if (tag === 10) {
        keyAt = p;
        keyLength = length;
      } else this.value(p, next, 1);
      p = next;
    }
    this.append(internKey(view, keyAt, keyLength), start, end, table);
  }

  private append(symbol: number, start: number, end: number, table: Table): void {
    const at = table.claim(ATTRIBUTE_WIDTH);
    if (at < 0) {
      this.left++;
      return;
    }
    const { data } = table;
    data[at] = symbol >= 0 ? (symbol << 8) | this.type : ValueType.pair;
    data[at + 1] = symbol >= 0 ? this.first : start;
    data[at + 2] = symbol >= 0 ? this.second : end - start;
  }

  /** Reads one `AnyValue` into the fields `type`, `first` and `second`. An empty message leaves them unchanged. */
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

  /** Validates the content of an array or map whose `AnyValue` is at nesting depth `depth`. Nothing is stored. */
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

  /** Returns the end of the length-delimited field at `p`. The position of its content is in `wire.at`. */
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
