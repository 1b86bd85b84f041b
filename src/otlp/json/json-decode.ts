import type { JsonValue } from "../../model/json.ts";
import { normalBase64 } from "../bytes/base64.ts";
import { Field } from "./json-fields.ts";
import { IntegerReader } from "./values/json-integer.ts";
import { JsonScanner } from "./json-scanner.ts";
import { doubleJson, int64Json } from "../bytes/number.ts";

/*
 * Decodes values of a body that the reader has already validated. Types are therefore correct, and values are nested at most `MAX_DEPTH`
 * deep, which limits the recursion.
 */

const NOTHING = new DataView(new ArrayBuffer(0));

/** Decodes `AnyValue` objects. After each, `at` is the position after the object. */
class Decoder {
  at = 0;
  private readonly scanner = new JsonScanner();
  private readonly integers = new IntegerReader(this.scanner);

  /** Decodes one value of a body. The decoder keeps no reference to the body. */
  read<T>(view: DataView, decode: (decoder: this) => T): T {
    this.scanner.view = view;
    try {
      return decode(this);
    } finally {
      this.scanner.view = NOTHING;
    }
  }

  list(p: number): JsonValue[] {
    const list: JsonValue[] = [];
    this.values(p, (at) => list.push(this.scanner.isNull(at) ? this.skipped(at) : (this.value(at) ?? null)));
    return list;
  }

  map(p: number): JsonValue {
    const map = Object.create(null) as Record<string, JsonValue>;
    this.values(p, (at) => {
      if (this.scanner.isNull(at)) this.skipped(at);
      else {
        const [key, value] = this.pair(at);
        map[key] = value ?? null;
      }
    });
    return map;
  }

  pair(p: number): readonly [key: string, value: JsonValue | undefined] {
    let key = "";
    let value: JsonValue | undefined;
    this.members(p, (field, at) => {
      if (field === Field.key) key = this.text(at);
      else if (field === Field.value) value = this.value(at) ?? value;
      else this.skipped(at);
    });
    return [key, value];
  }

  private value(p: number): JsonValue | undefined {
    let value: JsonValue | undefined;
    this.members(p, (field, at) => {
      value = this.variant(field, at) ?? value;
    });
    return value;
  }

  private variant(field: number, p: number): JsonValue | undefined {
    switch (field) {
      case Field.stringValue:
        return this.text(p);
      case Field.intValue:
        this.at = this.integers.read(p);
        return int64Json(this.integers.low, this.integers.high);
      case Field.boolValue:
        this.at = this.scanner.skip(p);
        return this.scanner.view.getUint8(p) === 116;
      case Field.doubleValue:
        return doubleJson(Number(this.scanner.isString(p) ? this.text(p) : this.source(p)));
      case Field.bytesValue:
        return normalBase64(this.text(p));
      case Field.arrayValue:
        return this.list(p);
      case Field.kvlistValue:
        return this.map(p);
      default:
        this.skipped(p);
        return undefined;
    }
  }

  private values(p: number, element: (at: number) => void): void {
    const { scanner } = this;
    this.members(p, (field, at) => {
      if (field !== Field.values) {
        this.skipped(at);
        return;
      }
      let next = scanner.enterArray(at);
      while (next >= 0) {
        element(next);
        next = scanner.nextElement(this.at);
      }
      this.at = ~next;
    });
  }

  private members(p: number, member: (field: number, at: number) => void): void {
    const { scanner } = this;
    let next = scanner.enterObject(p);
    while (next >= 0) {
      const at = scanner.member(next);
      member(scanner.field, at);
      next = scanner.nextMember(this.at);
    }
    this.at = ~next;
  }

  private text(p: number): string {
    this.at = this.scanner.string(p + 1);
    const end = this.at - 1;
    return this.scanner.escaped ? this.scanner.text(p + 1, end) : this.scanner.source(p + 1, end);
  }

  private source(p: number): string {
    this.at = this.scanner.skip(p);
    return this.scanner.source(p, this.at);
  }

  private skipped(p: number): null {
    this.at = this.scanner.skip(p);
    return null;
  }
}

/** The only decoder, used for all bodies: creating a decoder costs more than decoding most values. */
const decoder = new Decoder();

/** Decodes the elements of the `ArrayValue` at `offset`. An empty element becomes null. */
export function jsonList(view: DataView, offset: number): JsonValue[] {
  return decoder.read(view, (its) => its.list(offset));
}

/** Decodes the entries of the `KeyValueList` at `offset`. If a key is repeated, its last value counts. */
export function jsonMap(view: DataView, offset: number): JsonValue {
  return decoder.read(view, (its) => its.map(offset));
}

export function jsonPair(
  view: DataView,
  offset: number,
): readonly [key: string, value: JsonValue | undefined] {
  return decoder.read(view, (its) => its.pair(offset));
}
