import type { JsonScanner } from "../json-scanner.ts";

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/;
const LONGEST = 400;
const POWERS = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
const BITS_63 = 2n ** 63n;
const BITS_64 = 2n ** 64n;

/** Reads 64-bit integers from JSON numbers or strings, without rounding. */
export class IntegerReader {
  low = 0;
  high = 0;
  /** Whether the integer is negative. `low` and `high` are then its two's complement. */
  negative = false;
  /** Whether the text is a 64-bit integer. A negative integer must fit into 64 bits signed, any other into 64 bits unsigned. */
  valid = true;
  private readonly scanner: JsonScanner;

  constructor(scanner: JsonScanner) {
    this.scanner = scanner;
  }

  /** Reads the number or string at `p`. Returns the position after the number or string. */
  read(p: number): number {
    const { view } = this.scanner;
    const quoted = view.getUint8(p) === 34;
    let at = quoted ? p + 1 : p;
    const negative = view.getUint8(at) === 45;
    if (negative) at++;
    const from = at;
    let leading = 0;
    let trailing = 0;
    let byte = view.getUint8(at);
    while (byte >= 48 && byte <= 57) {
      // The first ten digits together, and the next nine digits together, each fit exactly into a double.
      if (at - from < 10) leading = leading * 10 + (byte - 48);
      else trailing = trailing * 10 + (byte - 48);
      byte = view.getUint8(++at);
    }
    const count = at - from;
    const ends = quoted ? byte === 34 : byte !== 46 && (byte | 32) !== 101;
    const padded = !quoted && count > 1 && view.getUint8(from) === 48;
    if (count === 0 || count > 19 || !ends || padded) return this.slow(p);
    this.combine(leading, trailing, count);
    this.negative = negative;
    if (negative) this.negate();
    return quoted ? at + 1 : at;
  }

  /** Whether the text is no signed 64-bit integer, for example because it is above 2^63 - 1. */
  get beyondSigned(): boolean {
    return !this.valid || (!this.negative && this.high < 0);
  }

  private combine(leading: number, trailing: number, count: number): void {
    this.valid = true;
    if (count <= 15) {
      const value = count <= 10 ? leading : leading * (POWERS[count - 10] as number) + trailing;
      this.high = Math.floor(value / 4_294_967_296);
      this.low = value | 0;
      return;
    }
    // Computes leading · 10^n + trailing in steps of 16 bits; each step stays below 2^53.
    const power = POWERS[count - 10] as number;
    const upper = Math.floor(leading / 65_536);
    const lower = (leading - upper * 65_536) * power + trailing;
    const carry = Math.floor(lower / 65_536);
    const middle = upper * power + carry;
    const high = Math.floor(middle / 65_536);
    this.high = high | 0;
    this.low = ((middle - high * 65_536) * 65_536 + (lower - carry * 65_536)) | 0;
  }

  private negate(): void {
    if (this.high < 0 && (this.high !== -0x8000_0000 || this.low !== 0)) this.valid = false;
    this.high = (~this.high + (this.low === 0 ? 1 : 0)) | 0;
    this.low = -this.low | 0;
  }

  /** Reads the rare forms: escapes, exponents, integers with a fraction such as `1.0`, 20 digits, other types. */
  private slow(p: number): number {
    const { scanner } = this;
    const byte = scanner.view.getUint8(p);
    const quoted = byte === 34;
    if (!quoted && byte !== 45 && (byte < 48 || byte > 57)) {
      this.valid = false;
      return scanner.skip(p);
    }
    const end = quoted ? scanner.string(p + 1) : scanner.number(p);
    this.parse(quoted ? scanner.text(p + 1, end - 1) : scanner.source(p, end));
    return end;
  }

  private parse(text: string): void {
    const value = exactInteger(text);
    this.valid = value !== undefined;
    this.negative = value !== undefined && value < 0n;
    const bits = BigInt.asUintN(64, value ?? 0n);
    this.low = Number(bits & 0xffff_ffffn) | 0;
    this.high = Number(bits >> 32n) | 0;
  }
}

/** Returns the integer that a decimal text means; `undefined` if the text is not decimal, or is too long. */
function exactInteger(text: string): bigint | undefined {
  const match = text.length <= LONGEST ? DECIMAL.exec(text) : null;
  if (match === null) return undefined;
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  const digits = BigInt(whole + fraction);
  const power = Number(exponent) - fraction.length;
  if (digits === 0n) return 0n;
  if (Math.abs(power) > LONGEST) return undefined;
  const scale = 10n ** BigInt(Math.abs(power));
  if (power < 0 && digits % scale !== 0n) return undefined;
  const value = power < 0 ? digits / scale : digits * scale;
  if (sign === "-") return value <= BITS_63 ? -value : undefined;
  return value < BITS_64 ? value : undefined;
}
