import { exceedsBounds, type JsonValue, valueBounds } from "../../model/json.ts";
import type { SpanView } from "../../model/telemetry/span-view.ts";
import { declaredKey } from "../../model/telemetry/attribute-key.ts";
import type { SpanFacts as AdapterFacts } from "../../../adapters/adapter-type.ts";
import { type Field, fieldIndex } from "../../../adapters/field-names.ts";
import { isPlaceholder } from "../notations/names.ts";
import { parseText } from "../notations/parse-text.ts";
import type { Dialects } from "./dialects.ts";
import type { FieldPlan } from "./field-plan.ts";
import { type FieldSource, NOWHERE, type Source } from "./fields.ts";
import { type ByteWord, headOf } from "./byte-search.ts";
import { booleanIn, numberIn, plainText } from "./scalar-values.ts";
import type { TraceValues } from "./trace-values.ts";

/** Sources from here on are values from events, log records or printed objects. */
const ADDED = 1 << 24;
const UNREAD = Symbol("unread");
type Slot = JsonValue | undefined | typeof UNREAD;
/** Slots of nearly every span: to copy them is far cheaper than to make them. */
const unread = Array.from<Slot>({ length: 128 }).fill(UNREAD);
/** Texts shorter than this cannot exceed the value bounds. */
const LEAST_EXCESS = 2 * valueBounds.levels;

/** The values of one span by field: a value is decoded once, by slot, when it is first read. */
export class FieldValues implements AdapterFacts {
  readonly span: SpanView;
  readonly plan: FieldPlan;
  readonly dialects: Dialects;
  readonly values: TraceValues;
  /** Inference added sources. */
  isInferred = false;
  /** Pairs of field and source that inference added. */
  #inferred: number[] | null = null;
  #added: JsonValue[] | null = null;
  /** By added value: the attribute of the event, or the part of the printed object, that holds it. */
  #addedNames: string[] | null = null;
  #raw: Slot[] | null = null;
  #parsed: Slot[] | null = null;
  #derived: Map<number, JsonValue | undefined> | null = null;
  #isDeriving = false;

  constructor(span: SpanView, plan: FieldPlan, dialects: Dialects, values: TraceValues) {
    this.span = span;
    this.plan = plan;
    this.dialects = dialects;
    this.values = values;
  }

  /** Whether any attribute has the field. */
  hasField(field: number): boolean {
    if (this.plan.first[field] !== NOWHERE) return true;
    const inferred = this.#inferred;
    if (inferred === null) return false;
    for (let at = 0; at < inferred.length; at += 2) if (inferred[at] === field) return true;
    return false;
  }

  /** Adds a source that inference found; declared sources come before it. */
  infer(field: number, source: Source): void {
    this.isInferred = true;
    (this.#inferred ??= []).push(field, source);
  }

  /** Adds a value of a field that an event, a log record or a printed object holds under a name. */
  add(field: number, value: JsonValue, name: string): void {
    this.infer(field, ADDED + (this.#added ??= []).push(value) - 1);
    (this.#addedNames ??= []).push(name);
  }

  /** The nth source of a field, best first; `NOWHERE` when there are no more. */
  #sourceAt(field: number, nth: number): Source {
    const first = this.plan.first[field] as Source;
    let left = nth;
    if (first !== NOWHERE) {
      if (left === 0) return first;
      left -= 1;
      const more = this.plan.more[field];
      if (more !== undefined) {
        if (left < more.length) return more[left] as Source;
        left -= more.length;
      }
    }
    const inferred = this.#inferred;
    if (inferred === null) return NOWHERE;
    for (let at = 0; at < inferred.length; at += 2)
      if (inferred[at] === field && left-- === 0) return inferred[at + 1] as Source;
    return NOWHERE;
  }

  /** The value of a source as it was sent. */
  rawAt(source: Source): JsonValue | undefined {
    if (source >= ADDED) return this.#added?.[source - ADDED];
    const slots = (this.#raw ??= this.#slots());
    const at = source >= 0 ? source : this.span.size - 2 - source;
    const known = slots[at];
    if (known !== UNREAD) return known;
    const value =
      source >= 0
        ? this.span.valueAt(source)
        : this.values.tree(this.span, this.plan.trees[-2 - source] as string);
    slots[at] = value;
    return value;
  }

  /** The same; a text that holds JSON or a printed object is that value. */
  parsedAt(source: Source): JsonValue | undefined {
    const raw = this.rawAt(source);
    if (typeof raw !== "string") return raw;
    if (source >= ADDED) return parseText(raw)?.value ?? raw;
    const slots = (this.#parsed ??= this.#slots());
    const known = slots[source];
    if (known !== UNREAD) return known;
    const value = parseText(raw)?.value ?? raw;
    slots[source] = value;
    return value;
  }

  /** Whether a value stayed text because its content is too deep or too large. */
  get hasExcess(): boolean {
    if (this.#raw !== null)
      for (const raw of this.#raw)
        if (typeof raw === "string" && raw.length > LEAST_EXCESS && exceedsBounds(raw)) return true;
    return false;
  }

  #slots(): Slot[] {
    const count = this.span.size + this.plan.trees.length;
    return count <= unread.length ? unread.slice(0, count) : Array.from<Slot>({ length: count }).fill(UNREAD);
  }

  /** Value that the span's adapters derive from several attributes; undefined for none. */
  #derive(field: number): JsonValue | undefined {
    const functions = this.dialects.derive?.[field];
    if (functions === undefined || this.#isDeriving) return undefined;
    const known = this.#derived;
    if (known?.has(field) === true) return known.get(field);
    let value: JsonValue | undefined;
    this.#isDeriving = true;
    for (const derive of functions) {
      value = derive(this) ?? undefined;
      if (value !== undefined) break;
    }
    this.#isDeriving = false;
    (this.#derived ??= new Map()).set(field, value);
    return value;
  }

  /** Text of the field; null if it is absent, empty or a placeholder. Names and ids have no quotes. */
  textAt(field: number): string | null {
    const derived = this.dialects.derive?.[field] === undefined ? undefined : this.#derive(field);
    if (typeof derived === "string") {
      const text = plainText(field, derived);
      if (text !== null) return text;
    }
    if (this.#inferred === null && this.plan.first[field] === NOWHERE) return null;
    let source = this.plan.first[field] as Source;
    if (source === NOWHERE) source = this.#sourceAt(field, 0);
    for (let nth = 1; ; source = this.#sourceAt(field, nth++)) {
      if (source === NOWHERE) return null;
      const value = source <= -2 ? undefined : this.rawAt(source);
      const text = typeof value === "string" ? plainText(field, value) : null;
      if (text !== null) return text;
    }
  }

  /** Whether an attribute holds the field as an empty text. */
  isEmptyAt(field: number): boolean {
    if (!this.hasField(field)) return false;
    for (let nth = 0; ; nth++) {
      const source = this.#sourceAt(field, nth);
      if (source === NOWHERE) return false;
      if (this.rawAt(source) === "") return true;
    }
  }

  numberAt(field: number): number | null {
    const derived = this.dialects.derive?.[field] === undefined ? undefined : this.#derive(field);
    if (typeof derived === "number") return derived;
    if (this.#inferred === null && this.plan.first[field] === NOWHERE) return null;
    let source = this.plan.first[field] as Source;
    if (source === NOWHERE) source = this.#sourceAt(field, 0);
    for (let nth = 1; ; source = this.#sourceAt(field, nth++)) {
      if (source === NOWHERE) return null;
      const value = source <= -2 ? undefined : this.rawAt(source);
      const number = numberIn(value);
      if (number !== null) return number;
    }
  }

  booleanAt(field: number): boolean | null {
    const derived = this.dialects.derive?.[field] === undefined ? undefined : this.#derive(field);
    if (typeof derived === "boolean") return derived;
    if (this.#inferred === null && this.plan.first[field] === NOWHERE) return null;
    let source = this.plan.first[field] as Source;
    if (source === NOWHERE) source = this.#sourceAt(field, 0);
    for (let nth = 1; ; source = this.#sourceAt(field, nth++)) {
      if (source === NOWHERE) return null;
      const value = source <= -2 ? undefined : this.rawAt(source);
      const flag = booleanIn(value);
      if (flag !== null) return flag;
    }
  }

  /** The field's first value, texts that hold a value parsed. */
  valueAt(field: number): JsonValue | undefined {
    return this.nthValue(field, 0);
  }

  /** The field's nth value that is there and no placeholder, best first; undefined beyond the last. */
  nthValue(field: number, n: number): JsonValue | undefined {
    let left = n;
    const derived = this.dialects.derive?.[field] === undefined ? undefined : this.#derive(field);
    if (derived !== undefined && left-- === 0) return derived;
    if (this.#inferred === null && this.plan.first[field] === NOWHERE) return undefined;
    let source = this.plan.first[field] as Source;
    if (source === NOWHERE) source = this.#sourceAt(field, 0);
    for (let nth = 1; ; source = this.#sourceAt(field, nth++)) {
      if (source === NOWHERE) return undefined;
      const raw = this.rawAt(source);
      if (raw === undefined || raw === null || raw === "") continue;
      if (typeof raw === "string" && isPlaceholder(raw)) continue;
      if (left-- === 0) return typeof raw === "string" ? this.parsedAt(source) : raw;
    }
  }

  /** The field's nth value as it was sent. */
  nthRaw(field: number, n: number): JsonValue | undefined {
    let left = n;
    const derived = this.dialects.derive?.[field] === undefined ? undefined : this.#derive(field);
    if (derived !== undefined && left-- === 0) return derived;
    if (this.#inferred === null && this.plan.first[field] === NOWHERE) return undefined;
    let source = this.plan.first[field] as Source;
    if (source === NOWHERE) source = this.#sourceAt(field, 0);
    for (let nth = 1; ; source = this.#sourceAt(field, nth++)) {
      if (source === NOWHERE) return undefined;
      const raw = this.rawAt(source);
      if (raw === undefined || raw === null || raw === "") continue;
      if (typeof raw === "string" && isPlaceholder(raw)) continue;
      if (left-- === 0) return raw;
    }
  }

  /** False if no value of the field can contain the word. Searches the bytes without decoding them. */
  mayMention(field: number, word: ByteWord): boolean {
    if (this.dialects.derive?.[field] !== undefined) return true;
    let source = this.plan.first[field] as Source;
    if (source === NOWHERE) source = this.#sourceAt(field, 0);
    for (let nth = 1; ; source = this.#sourceAt(field, nth++)) {
      if (source === NOWHERE) return false;
      if (source < 0 || source >= ADDED) return true;
      const bytes = this.span.textBytesAt?.(source);
      if (bytes === undefined || word.mayBeIn(bytes)) return true;
    }
  }

  /** For explanations: the places that hold a field, best first. */
  sourcesOf(field: Field): FieldSource[] {
    const at = fieldIndex(field);
    const found: FieldSource[] = [];
    const derived = this.dialects.derive?.[at] === undefined ? undefined : this.#derive(at);
    if (derived !== undefined) found.push({ attribute: null, origin: "derived", value: derived });
    for (let nth = 0; ; nth++) {
      const source = this.#sourceAt(at, nth);
      if (source === NOWHERE) return found;
      const value = this.parsedAt(source);
      if (value === undefined || (typeof value === "string" && (value === "" || isPlaceholder(value))))
        continue;
      found.push({ ...this.#placeOf(at, source), value });
    }
  }

  #placeOf(field: number, source: Source): Omit<FieldSource, "value"> {
    if (source >= ADDED) return { attribute: this.#addedNames?.[source - ADDED] ?? null, origin: "added" };
    const attribute = source >= 0 ? this.span.nameAt(source) : `${this.plan.trees[-2 - source] ?? ""}.*`;
    const isDeclared = this.plan.first[field] === source || this.plan.more[field]?.includes(source) === true;
    return { attribute, origin: isDeclared ? "declared" : "inferred" };
  }

  // What adapters' functions ask for.

  has(field: Field): boolean {
    return this.hasField(fieldIndex(field));
  }

  text(field: Field): string | undefined {
    return this.textAt(fieldIndex(field)) ?? undefined;
  }

  number(field: Field): number | undefined {
    return this.numberAt(fieldIndex(field)) ?? undefined;
  }

  boolean(field: Field): boolean | undefined {
    return this.booleanAt(fieldIndex(field)) ?? undefined;
  }

  json(field: Field): JsonValue | undefined {
    return this.valueAt(fieldIndex(field));
  }

  head(attribute: string): string | undefined {
    const known = declaredKey(attribute);
    const bytes = known === undefined ? undefined : this.span.textBytes?.(known);
    if (bytes !== undefined) return headOf(bytes);
    const value = this.span.named(attribute);
    return typeof value === "string" ? value : undefined;
  }
}
