import { expectedKey, internKey, internName, keyLength } from "../../attributes/attribute-symbols.ts";
import { ATTRIBUTE_WIDTH, ValueType } from "../../rows/columns.ts";
import { Field } from "../json-fields.ts";
import type { JsonScanner } from "../json-scanner.ts";
import type { JsonValueReader } from "./json-values.ts";
import type { Table } from "../../rows/row-tables.ts";

/** Converts up to four characters into an int, with the first character as the lowest byte (little-endian). */
function word(text: string): number {
  return Array.from(text).reduceRight((int, letter) => (int << 8) | letter.charCodeAt(0), 0);
}

const OPEN_KEY = word('{"ke');
const KEY_TEXT = word('y":"');
const NEXT_VALUE = word(',"va');
const VALUE_END = word('lue"');
const OPEN_VARIANT = word(':{"');
const CLOSE_TWO = word("}}");
const COLON_QUOTE = word(':"');
const QUOTE_COLON = word('":');
const E_QUOTE_COLON = word('e":');
const STRI = word("stri");
const NGVA = word("ngVa");
const INTV = word("intV");
const ALUE = word("alue");
const DOUB = word("doub");
const LEVA = word("leVa");
const BOOL = word("bool");
const VALU = word("Valu");

/** Reads lists of `KeyValue` objects into an attribute table. */
export class JsonAttributeReader {
  /** Number of attributes that did not fit into the table. The caller resets this number. */
  left = 0;
  private readonly scanner: JsonScanner;
  private readonly values: JsonValueReader;

  constructor(scanner: JsonScanner, values: JsonValueReader) {
    this.scanner = scanner;
    this.values = values;
  }

  /**
   * Reads the list of attributes at `p` into `table`. Attributes above the table's limit are only counted, in `left`. Returns the position
   * after the list.
   * @param lenient whether attributes with a problem are ignored; otherwise the problem is reported
   */
  attributes(p: number, table: Table, lenient: boolean): number {
    const { scanner, values } = this;
    if (!scanner.isArray(p)) return this.values.mismatch(p, "attributes must be an array");
    let at = scanner.enterArray(p);
    while (at >= 0) {
      const { size } = table;
      // Clears a problem that remained from an earlier field or span, or from a request that was not read to its end.
      if (lenient) values.problem = undefined;
      at = scanner.isObject(at) ? this.attribute(at, table) : this.values.notAnObject(at, "an attribute");
      if (lenient && values.problem !== undefined) {
        table.size = size;
        values.problem = undefined;
      }
      at = scanner.nextElement(at);
    }
    return ~at;
  }

  private attribute(p: number, table: Table): number {
    const end = this.plainAttribute(p, table);
    return end >= 0 ? end : this.anyAttribute(p, table);
  }

  /**
   * Reads the attribute at `p` if it has the usual form `{"key":"…","value":{"…Value":…}}`, without white space. Returns the position after
   * the attribute; -1 if it has another form.
   */
  private plainAttribute(p: number, table: Table): number {
    const { scanner } = this;
    const { view } = scanner;
    const room = view.byteLength - 32;
    if (p > room || view.getInt32(p, true) !== OPEN_KEY || view.getInt32(p + 4, true) !== KEY_TEXT) return -1;
    const expected = expectedKey(view, p + 8);
    let at = expected < 0 ? scanner.string(p + 8) : p + 9 + keyLength(expected);
    const length = at - p - 9;
    if ((expected < 0 && scanner.escaped) || at > room) return -1;
    if (view.getInt32(at, true) !== NEXT_VALUE || view.getInt32(at + 4, true) !== VALUE_END) return -1;
    if ((view.getInt32(at + 8, true) & 0xff_ffff) !== OPEN_VARIANT) return -1;
    at = this.plainVariant(at + 11, expected);
    if (at < 0 || view.getInt16(at, true) !== CLOSE_TWO) return -1;
    this.append(expected < 0 ? internKey(view, p + 8, length) : expected, p, at + 2, table);
    return at + 2;
  }

  /**
   * Reads a string, int, double or bool value; `p` is the position of its field name, such as `stringValue`. Returns the position after the
   * value; -1 if it has another form.
   * @param symbol symbol of the attribute's key; -1 if not known yet
   */
  private plainVariant(p: number, symbol: number): number {
    const { view } = this.scanner;
    const begin = view.getInt32(p, true);
    const middle = view.getInt32(p + 4, true);
    if (begin === STRI) {
      if (middle !== NGVA || view.getInt32(p + 8, true) !== VALUE_END) return -1;
      if (view.getInt16(p + 12, true) !== COLON_QUOTE) return -1;
      return symbol < 0 ? this.values.string(p + 13) : this.values.stringOf(symbol, p + 13);
    }
    if (begin === INTV && middle === ALUE && view.getInt16(p + 8, true) === QUOTE_COLON) {
      return this.scanner.isNull(p + 10) ? -1 : this.values.int(p + 10);
    }
    if (begin === DOUB && middle === LEVA && view.getInt32(p + 8, true) === VALUE_END) {
      return view.getUint8(p + 12) !== 58 || this.scanner.isNull(p + 13) ? -1 : this.values.double(p + 13);
    }
    if (begin === BOOL && middle === VALU && (view.getInt32(p + 8, true) & 0xff_ffff) === E_QUOTE_COLON) {
      return this.scanner.isNull(p + 11) ? -1 : this.values.bool(p + 11);
    }
    return -1;
  }

  private anyAttribute(p: number, table: Table): number {
    const { scanner } = this;
    let symbol = -1;
    this.values.clear();
    let named = false;
    let at = scanner.enterObject(p);
    while (at >= 0) {
      at = scanner.member(at);
      if (scanner.field === Field.key && scanner.isString(at)) {
        const end = scanner.string(at + 1);
        symbol = scanner.escaped
          ? internName(scanner.text(at + 1, end - 1))
          : internKey(scanner.view, at + 1, end - at - 2);
        named = true;
        at = end;
      } else if (scanner.field === Field.key)
        at = this.values.mismatch(at, "an attribute's key must be a string");
      else if (scanner.field === Field.value) at = this.values.value(at, 1);
      else at = scanner.skip(at);
      at = scanner.nextMember(at);
    }
    if (!named) symbol = internName("");
    this.append(symbol, p, ~at, table);
    return ~at;
  }

  private append(symbol: number, start: number, end: number, table: Table): void {
    const at = table.claim(ATTRIBUTE_WIDTH);
    if (at < 0) {
      this.left++;
      return;
    }
    const { values } = this;
    const { data } = table;
    data[at] = symbol >= 0 ? (symbol << 8) | values.type : ValueType.pair;
    data[at + 1] = symbol >= 0 ? values.first : start;
    data[at + 2] = symbol >= 0 ? values.second : end - start;
  }
}
