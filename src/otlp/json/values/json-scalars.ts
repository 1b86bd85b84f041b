import { enumNames } from "./json-enums.ts";
import { IdReader } from "./json-ids.ts";
import type { JsonScanner } from "../json-scanner.ts";
import type { JsonValueReader } from "./json-values.ts";

/**
 * Methods that decode one field of an OTLP/JSON span or log record into a row of the batch. Parameters: the value's position `p`, the
 * field's name `what` for messages, and the position `at` in the row's `data`. Each method returns the position after the value. An invalid
 * value sets `values.problem` and leaves the row unchanged.
 */
export class JsonScalars {
  readonly ids: IdReader;
  private readonly scanner: JsonScanner;
  private readonly values: JsonValueReader;

  constructor(scanner: JsonScanner, values: JsonValueReader) {
    this.scanner = scanner;
    this.values = values;
    this.ids = new IdReader(scanner);
  }

  /** Reads an id of `words` words of 4 bytes. */
  id(p: number, what: string, words: number, data: Int32Array, at: number): number {
    const end = this.ids.read(p, words, data, at);
    if (this.ids.problem !== undefined) this.values.problem ??= `${what} ${this.ids.problem}`;
    return end;
  }

  /** Reads a text, and stores its offset and length. If the text contains escapes, `~length` is stored instead of the length. */
  text(p: number, what: string, data: Int32Array, at: number): number {
    const { scanner } = this;
    if (!scanner.isString(p)) return this.values.mismatch(p, `${what} must be a string`);
    const end = scanner.string(p + 1);
    const length = end - p - 2;
    data[at] = p + 1;
    data[at + 1] = scanner.escaped ? ~length : length;
    return end;
  }

  /** Reads an unsigned 64-bit integer as two words. */
  unsigned(p: number, what: string, data: Int32Array, at: number): number {
    const { integers } = this.values;
    const end = integers.read(p);
    if (!integers.valid || integers.negative) {
      this.values.problem ??= `${what} is not an unsigned 64-bit integer`;
      return end;
    }
    data[at] = integers.low;
    data[at + 1] = integers.high;
    return end;
  }

  /** Reads a 64-bit integer, and stores its low 32 bits. */
  small(p: number, what: string, data: Int32Array, at: number): number {
    const { integers } = this.values;
    const end = integers.read(p);
    if (integers.valid) data[at] = integers.low;
    else this.values.problem ??= `${what} is not an integer`;
    return end;
  }

  /** Reads an enum value, by number or by name. */
  enumeration(p: number, what: string, data: Int32Array, at: number): number {
    const { scanner } = this;
    if (!scanner.isString(p)) return this.small(p, what, data, at);
    const end = scanner.string(p + 1);
    const value = enumNames.get(scanner.text(p + 1, end - 1));
    if (value === undefined) return this.small(p, what, data, at);
    scanner.lenient++;
    data[at] = value;
    return end;
  }
}
