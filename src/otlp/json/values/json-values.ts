import { normalBase64 } from "../../bytes/base64.ts";
import { MAX_DEPTH, ValueType } from "../../rows/columns.ts";
import { Field } from "../json-fields.ts";
import { IntegerReader } from "./json-integer.ts";
import { RepeatedTexts } from "./repeated-texts.ts";
import type { JsonScanner } from "../json-scanner.ts";
import { decodeText } from "../../bytes/text.ts";

/** Reads `AnyValue` objects. After each, the fields `type`, `first` and `second` contain the value. */
export class JsonValueReader {
  type: number = ValueType.empty;
  first = 0;
  second = 0;
  /** Problem of a value that is valid JSON but invalid OTLP; undefined if there is none. The caller resets it. */
  problem: string | undefined;
  readonly integers: IntegerReader;
  readonly repeated = new RepeatedTexts();
  private readonly scanner: JsonScanner;

  constructor(scanner: JsonScanner) {
    this.scanner = scanner;
    this.integers = new IntegerReader(scanner);
  }

  clear(): void {
    this.type = ValueType.empty;
    this.first = 0;
    this.second = 0;
  }

  /** Reads the `AnyValue` at `p` into the fields `type`, `first` and `second`. An empty `AnyValue` leaves them unchanged. */
  value(p: number, depth: number): number {
    const { scanner } = this;
    if (!scanner.isObject(p)) return this.notAnObject(p, "a value");
    let at = scanner.enterObject(p);
    while (at >= 0) {
      at = scanner.member(at);
      at = this.variant(scanner.field, at, depth);
      at = scanner.nextMember(at);
    }
    return ~at;
  }

  private variant(field: number, p: number, depth: number): number {
    switch (field) {
      case Field.stringValue:
        return this.string(p);
      case Field.intValue:
        return this.int(p);
      case Field.boolValue:
        return this.bool(p);
      case Field.doubleValue:
        return this.double(p);
      case Field.arrayValue:
        return this.list(p, depth, false);
      case Field.kvlistValue:
        return this.list(p, depth, true);
      case Field.bytesValue:
        return this.bytes(p);
      case Field.stringValueStrindex:
        this.scanner.lenient++;
        return this.scanner.skip(p);
      default:
        return this.scanner.skip(p);
    }
  }

  string(p: number): number {
    const { scanner } = this;
    if (!scanner.isString(p)) return this.mismatch(p, "stringValue must be a string");
    const end = scanner.string(p + 1);
    this.text(p + 1, end);
    return end;
  }

  private text(start: number, end: number): void {
    this.type = this.scanner.escaped ? ValueType.escapedText : ValueType.text;
    this.first = start;
    this.second = end - 1 - start;
  }

  /** Reads the string at `p`, which is the value of the key with this symbol. The part that repeats the key's previous text is skipped. */
  stringOf(symbol: number, p: number): number {
    const { scanner, repeated } = this;
    if (!scanner.isString(p)) return this.mismatch(p, "stringValue must be a string");
    const known = repeated.repeated(symbol, scanner.view, p + 1);
    scanner.escaped = known > 0 && repeated.isEscaped(symbol);
    const end = scanner.restOfString(p + 1 + known);
    this.text(p + 1, end);
    repeated.note(symbol, this.first, this.second, scanner.escaped);
    return end;
  }

  int(p: number): number {
    const { integers } = this;
    const end = integers.read(p);
    if (integers.beyondSigned) this.problem ??= "intValue is not a 64-bit integer";
    this.type = ValueType.int;
    this.first = integers.low;
    this.second = integers.high;
    return end;
  }

  bool(p: number): number {
    const { scanner } = this;
    const end = scanner.skip(p);
    const byte = scanner.view.getUint8(p);
    if (byte !== 116 && byte !== 102) this.problem ??= "boolValue must be true or false";
    this.type = ValueType.bool;
    this.first = byte === 116 ? 1 : 0;
    this.second = 0;
    return end;
  }

  /** Validates a number. It is stored as text, and converted when it is first used. */
  double(p: number): number {
    const { scanner } = this;
    const end = scanner.skip(p);
    const quoted = scanner.isString(p);
    const from = quoted ? p + 1 : p;
    const length = quoted ? end - p - 2 : end - p;
    if (!isDouble(scanner.view, from, length, quoted))
      this.problem ??= "doubleValue is neither a number nor NaN, Infinity or -Infinity";
    this.type = ValueType.doubleText;
    this.first = from;
    this.second = length;
    return end;
  }

  private bytes(p: number): number {
    const { scanner } = this;
    if (!scanner.isString(p)) return this.mismatch(p, "bytesValue must be a string");
    const end = scanner.string(p + 1);
    if (normalBase64(scanner.text(p + 1, end - 1)) === undefined) this.problem ??= "bytesValue is not base64";
    this.type = ValueType.bytes;
    this.first = p + 1;
    this.second = end - p - 2;
    return end;
  }

  /**
   * Validates an `ArrayValue` or `KeyValueList` whose `AnyValue` is at nesting depth `depth`. Its content is later decoded from the body.
   */
  private list(p: number, depth: number, map: boolean): number {
    const { scanner } = this;
    if (!scanner.isObject(p)) return this.notAnObject(p, "an array or map value");
    let at = scanner.enterObject(p);
    while (at >= 0) {
      at = scanner.member(at);
      at = scanner.field === Field.values ? this.elements(at, depth + 1, map) : scanner.skip(at);
      at = scanner.nextMember(at);
    }
    this.type = map ? ValueType.map : ValueType.array;
    this.first = p;
    this.second = ~at - p;
    return ~at;
  }

  private elements(p: number, depth: number, map: boolean): number {
    const { scanner } = this;
    if (!scanner.isArray(p)) return this.mismatch(p, "values must be an array");
    let at = scanner.enterArray(p);
    while (at >= 0) {
      if (scanner.isNull(at)) at = scanner.skip(at);
      else at = map ? this.pair(at, depth) : this.nested(at, depth);
      at = scanner.nextElement(at);
    }
    return ~at;
  }

  private pair(p: number, depth: number): number {
    const { scanner } = this;
    if (!scanner.isObject(p)) return this.notAnObject(p, "an entry of a map value");
    let at = scanner.enterObject(p);
    while (at >= 0) {
      at = scanner.member(at);
      if (scanner.field === Field.key && !scanner.isString(at))
        at = this.mismatch(at, "a key must be a string");
      else at = scanner.field === Field.value ? this.nested(at, depth) : scanner.skip(at);
      at = scanner.nextMember(at);
    }
    return ~at;
  }

  private nested(p: number, depth: number): number {
    if (depth <= MAX_DEPTH) return this.value(p, depth);
    this.problem ??= `an attribute is nested more than ${MAX_DEPTH} levels deep`;
    return this.scanner.skip(p);
  }

  /** Skips a value of the wrong type, and sets `problem`. */
  mismatch(p: number, problem: string): number {
    this.problem ??= problem;
    return this.scanner.skip(p);
  }

  /** Skips a value where an object is expected. Null counts as absent; any other value is reported as a problem. */
  notAnObject(p: number, what: string): number {
    if (!this.scanner.isNull(p)) this.problem ??= `${what} must be an object`;
    return this.scanner.skip(p);
  }
}

/** Whether the text is a finite number, or one of the strings `NaN`, `Infinity` and `-Infinity`. */
function isDouble(view: DataView, offset: number, length: number, quoted: boolean): boolean {
  if (!quoted && isPlainNumber(view, offset, length)) return true;
  if (length > 400) return false;
  const text = decodeText(view, offset, length);
  if (quoted && (text === "NaN" || text === "Infinity" || text === "-Infinity")) return true;
  return /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text) && Number.isFinite(Number(text));
}

/** Whether the text is a short JSON number without an exponent, and is therefore finite. */
function isPlainNumber(view: DataView, offset: number, length: number): boolean {
  if (length > 30) return false;
  for (let at = offset; at < offset + length; at++) {
    const byte = view.getUint8(at);
    if (byte > 57 || byte < 45) return false;
  }
  return true;
}
