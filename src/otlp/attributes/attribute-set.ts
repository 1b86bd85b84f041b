import { type AttributeKey, declaredKey, declaredNames } from "../../model/telemetry/attribute-key.ts";
import { isArray, type JsonValue, parseJson } from "../../model/json.ts";
import type { AttributesView, AttributeTree, TextBytes } from "../../model/telemetry/span-view.ts";
import type { Batch } from "../rows/batch.ts";
import { ATTRIBUTE_WIDTH, ValueType } from "../rows/columns.ts";
import { IndexedAttributes } from "./indexed-attributes.ts";
import { layoutOf, type PlacedKeys } from "./key-layouts.ts";
import { double, finite, int64, wholeNumber } from "../bytes/number.ts";
import { decodeText } from "../bytes/text.ts";
import { BodyText } from "../bytes/text-bytes.ts";
import { keyAt, valueAt } from "./values.ts";

/** Minimum size in bytes of a text that is compared in encoded form. Shorter texts are decoded first. */
const SHORTEST_COMPARED = 256;

/** The attributes below a prefix whose keys contain indices, such as input and output messages. */
interface IndexedSet {
  readonly prefix: string;
  readonly attributes: IndexedAttributes;
  readonly next: IndexedSet | undefined;
}

/** Attributes of one span, event, log record or resource: a view of `count` attributes from `start` in a batch's rows. */
export class AttributeSet implements AttributesView {
  protected readonly batch: Batch;
  private readonly start: number;
  private readonly count: number;
  private placed: PlacedKeys | undefined;
  private indexedSets: IndexedSet | undefined;

  constructor(batch: Batch, start: number, count: number) {
    this.batch = batch;
    this.start = start;
    this.count = count;
  }

  get size(): number {
    return this.count;
  }

  get layout(): PlacedKeys {
    const { placed } = this;
    if (placed !== undefined && placed.declared === declaredNames.length) return placed;
    return (this.placed = layoutOf(this.batch, this.start, this.count));
  }

  has(key: AttributeKey): boolean {
    return this.find(key) >= 0;
  }

  text(key: AttributeKey): string | undefined {
    const at = this.find(key);
    if (at < 0) return undefined;
    const type = (this.batch.rows[at] as number) & 255;
    if (type === ValueType.text)
      return decodeText(
        this.batch.view,
        this.batch.rows[at + 1] as number,
        this.batch.rows[at + 2] as number,
      );
    if (type !== ValueType.escapedText && type !== ValueType.pair) return undefined;
    const value = valueAt(this.batch, at);
    return typeof value === "string" ? value : undefined;
  }

  number(key: AttributeKey): number | undefined {
    const at = this.find(key);
    if (at < 0) return undefined;
    const { rows } = this.batch;
    const type = (rows[at] as number) & 255;
    if (type === ValueType.int) return int64(rows[at + 1] as number, rows[at + 2] as number);
    if (type === ValueType.double) return finite(double(rows[at + 1] as number, rows[at + 2] as number));
    const value = valueAt(this.batch, at);
    if (typeof value === "number") return value;
    return typeof value === "string" ? wholeNumber(value) : undefined;
  }

  boolean(key: AttributeKey): boolean | undefined {
    const value = this.value(key);
    if (typeof value === "boolean") return value;
    if (typeof value !== "string" || value.length > 5) return undefined;
    const lower = value.toLowerCase();
    return lower === "true" ? true : lower === "false" ? false : undefined;
  }

  value(key: AttributeKey): JsonValue | undefined {
    const at = this.find(key);
    return at < 0 ? undefined : valueAt(this.batch, at);
  }

  json(key: AttributeKey): JsonValue | undefined {
    const value = this.value(key);
    return typeof value === "string" ? jsonOrText(value) : value;
  }

  eachKey(visit: (key: AttributeKey) => void): void {
    const { keys } = this.layout;
    for (let place = 0; place < keys.length; place++) {
      const key = keys[place] as number;
      if (key >= 0) visit(key as AttributeKey);
    }
  }

  keys(): readonly string[] {
    const keys = new Set<string>();
    for (let i = 0; i < this.count; i++) keys.add(keyAt(this.batch, this.start + i * ATTRIBUTE_WIDTH));
    return [...keys];
  }

  named(name: string): JsonValue | undefined {
    const key = declaredKey(name);
    if (key !== undefined) return this.value(key);
    for (let i = this.count - 1; i >= 0; i--) {
      const at = this.start + i * ATTRIBUTE_WIDTH;
      if (keyAt(this.batch, at) === name) return valueAt(this.batch, at);
    }
    return undefined;
  }

  nameAt(place: number): string {
    return keyAt(this.batch, this.start + place * ATTRIBUTE_WIDTH);
  }

  nameIdAt(place: number): number {
    const head = this.batch.rows[this.start + place * ATTRIBUTE_WIDTH] as number;
    return (head & 255) === ValueType.pair ? -1 : head >>> 8;
  }

  valueAt(place: number): JsonValue | undefined {
    return valueAt(this.batch, this.start + place * ATTRIBUTE_WIDTH);
  }

  textBytes(key: AttributeKey): TextBytes | undefined {
    const at = this.find(key);
    return at < 0 ? undefined : this.bytesOf(at);
  }

  textBytesAt(place: number): TextBytes | undefined {
    return this.bytesOf(this.start + place * ATTRIBUTE_WIDTH);
  }

  tree(prefix: string, like?: AttributeTree): JsonValue | undefined {
    const indexed = this.indexed(prefix);
    const { view, value } = like ?? {};
    return view instanceof AttributeSet && value !== undefined && isArray(value)
      ? indexed.treeLike(view.indexed(prefix), value)
      : indexed.tree();
  }

  private indexed(prefix: string): IndexedAttributes {
    for (let set = this.indexedSets; set !== undefined; set = set.next)
      if (set.prefix === prefix) return set.attributes;
    const attributes = new IndexedAttributes(this.batch, this.start, this.count, prefix);
    this.indexedSets = { prefix, attributes, next: this.indexedSets };
    return attributes;
  }

  private bytesOf(at: number): TextBytes | undefined {
    const { rows, view } = this.batch;
    const type = (rows[at] as number) & 255;
    const length = rows[at + 2] as number;
    const isText = type === ValueType.text || type === ValueType.escapedText;
    if (!isText || length < SHORTEST_COMPARED) return undefined;
    return new BodyText(view, rows[at + 1] as number, length, type === ValueType.escapedText);
  }

  /** Returns the position in the rows of the last attribute with this key; -1 if there is none. */
  private find(key: AttributeKey): number {
    const place = this.layout.placeOf(key);
    return place < 0 ? -1 : this.start + place * ATTRIBUTE_WIDTH;
  }
}

function jsonOrText(text: string): JsonValue {
  const value = parseJson(text);
  // A text is read as a number only if JavaScript would write the number in the same way. So "007", and integers above 2^53, stay text.
  if (value === undefined || (typeof value === "number" && String(value) !== text.trim())) return text;
  return value;
}
