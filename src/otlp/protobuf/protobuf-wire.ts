import { Malformed } from "../read-result.ts";

/** Maximum nesting of groups. Groups are an obsolete feature of protobuf that OTLP does not use. */
const GROUP_DEPTH = 100;
const TOO_LONG = 0x7fff_ffff;
const nothing = new DataView(new ArrayBuffer(0));

/**
 * Reads the protobuf wire format of one body. Callers pass the current position to each method. The results are in `at`, `low` and `high`.
 */
export class Wire {
  view: DataView = nothing;
  /** Position after the bytes that `length` or `varint` read last. */
  at = 0;
  /** Low and high 32 bits of the value that `varint` read last. */
  low = 0;
  high = 0;

  /** Reads a length or tag of several bytes. `first`: its first byte, just before `p`, which has the continuation bit. */
  length(first: number, p: number): number {
    const second = this.view.getUint8(p);
    if (second < 128) {
      this.at = p + 1;
      return (first & 127) | (second << 7);
    }
    this.varint(p - 1);
    if (this.high !== 0 || this.low < 0) throw new Malformed("a length of more than 2 GiB", p - 1);
    return this.low;
  }

  /** Reads a varint of up to 64 bits at `p` into `low` and `high`. */
  varint(p: number): void {
    const { view } = this;
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = view.getUint8(p++);
      if (shift < 28) low |= (byte & 127) << shift;
      else if (shift === 28) {
        low |= (byte & 127) << 28;
        high = (byte & 127) >> 4;
      } else high |= (byte & 127) << (shift - 32);
      if (byte < 128) {
        if (shift === 63 && byte > 1) break;
        this.low = low;
        this.high = high;
        this.at = p;
        return;
      }
    }
    throw new Malformed("a varint of more than 64 bits", p);
  }

  /**
   * Skips a field, in a message that ends at `end`. `tag`: the first byte of the field's tag, just before `p`. Returns the position after
   * the field. Throws if the field number is in the bit set `known` (see `fields`): a known field is skipped only if it has the wrong wire
   * type.
   */
  skip(tag: number, p: number, end: number, known: number): number {
    const whole = tag < 128 ? tag : this.length(tag, p);
    const at = tag < 128 ? p : this.at;
    refuse(whole, at, known);
    const next = (whole & 7) === 3 ? this.skipGroup(whole >>> 3, at) : this.skipValue(whole & 7, at);
    if (next > end) throw overlong(at);
    return next;
  }

  private skipValue(wireType: number, p: number): number {
    if (wireType === 0) {
      this.varint(p);
      return this.at;
    }
    if (wireType === 1) return p + 8;
    if (wireType === 5) return p + 4;
    if (wireType !== 2) throw new Malformed(`unexpected wire type ${wireType}`, p);
    this.varint(p);
    if (this.high !== 0 || this.low < 0) throw new Malformed("a length of more than 2 GiB", p);
    return Math.min(this.at + this.low, TOO_LONG);
  }

  private skipGroup(field: number, p: number): number {
    const open = [field];
    let at = p;
    while (open.length > 0) {
      this.varint(at);
      at = this.at;
      const inner = this.low >>> 3;
      const wireType = this.low & 7;
      if (inner === 0) throw new Malformed("a field has the number 0", at);
      if (wireType === 3) {
        if (open.push(inner) > GROUP_DEPTH) throw new Malformed("groups are nested too deeply", at);
      } else if (wireType === 4) {
        if (open.pop() !== inner) throw new Malformed("the end tag of a group has no start tag", at);
      } else {
        at = this.skipValue(wireType, at);
      }
    }
    return at;
  }
}

/** Returns a bit set of the field numbers. */
export function fields(...numbers: readonly number[]): number {
  return numbers.reduce((mask, field) => mask | (1 << field), 0);
}

/** Throws if the tag's field number is 0, or is in the bit set `known`. Callers pass a known field only if it has the wrong wire type. */
export function refuse(tag: number, p: number, known: number): void {
  const field = tag >>> 3;
  if (field === 0) throw new Malformed("a field has the number 0", p);
  if (field < 32 && ((known >>> field) & 1) === 1) {
    throw new Malformed(`field ${field} has the wrong wire type ${tag & 7}`, p);
  }
}

/** Returns the error for a field that is longer than its message. */
export function overlong(p: number): Malformed {
  return new Malformed("a field is longer than its message", p);
}
