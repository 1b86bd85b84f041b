import { type AttributeKey, declaredKey, declaredKeys } from "../model/attribute-key.ts";
import { type JsonValue, parseJson } from "../model/json.ts";
import type { AttributesView } from "../model/span-view.ts";
import { symbolName, symbolSegments } from "./attribute-symbols.ts";
import type { Batch } from "./batch.ts";
import { ATTRIBUTE_WIDTH, ValueType } from "./columns.ts";
import { layoutOf, type PlacedKeys } from "./key-layouts.ts";
import { double, finite, int64, wholeNumber } from "./number.ts";
import { decodeText } from "./text.ts";
import { TreeBuilder } from "./tree.ts";
import { keyAt, valueAt } from "./values.ts";

/** At most so many attributes are searched for indexed keys. */
const MOST_IN_TREE = 65_536;

/** The attributes of one span, event, log record or resource: a view over `count` attributes from `start` in a batch's rows. */
export class AttributeSet implements AttributesView {
  protected readonly batch: Batch;
  private readonly start: number;
  private readonly count: number;
  private placed: PlacedKeys | undefined;

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
    if (placed !== undefined && placed.declared === declaredKeys()) return placed;
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

  valueAt(place: number): JsonValue | undefined {
    return valueAt(this.batch, this.start + place * ATTRIBUTE_WIDTH);
  }

  tree(prefix: string): JsonValue | undefined {
    const below = `${prefix}.`;
    const depth = prefix.split(".").length;
    const builder = new TreeBuilder();
    for (let i = 0; i < Math.min(this.count, MOST_IN_TREE); i++) {
      const at = this.start + i * ATTRIBUTE_WIDTH;
      const head = this.batch.rows[at] as number;
      const lazy = (head & 255) === ValueType.pair;
      const name = lazy ? keyAt(this.batch, at) : symbolName(head >>> 8);
      if (!name.startsWith(below)) continue;
      const parts = lazy ? name.split(".") : symbolSegments(head >>> 8);
      builder.add(parts, depth, valueAt(this.batch, at) ?? null);
    }
    return builder.result();
  }

  /** Where in the rows the last attribute with this key is; -1 when there is none. */
  private find(key: AttributeKey): number {
    const place = this.layout.placeOf(key);
    return place < 0 ? -1 : this.start + place * ATTRIBUTE_WIDTH;
  }
}

function jsonOrText(text: string): JsonValue {
  const value = parseJson(text);
  // A number is taken as one only when it would be written the same: "007" and digits beyond 2^53 stay text.
  if (value === undefined || (typeof value === "number" && String(value) !== text.trim())) return text;
  return value;
}
