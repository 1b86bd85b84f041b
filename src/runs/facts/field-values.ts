import { exceedsBounds, isArray, type JsonValue, valueBounds } from "../../model/json.ts";
import type { SpanView } from "../../model/telemetry/span-view.ts";
import { declaredKey } from "../../model/telemetry/attribute-key.ts";
import type { SpanFacts as AdapterFacts } from "../../../adapters/adapter-type.ts";
import { type Field, fieldIndex } from "../../../adapters/field-names.ts";
import { isAbsentId, isPlaceholder } from "../notations/names.ts";
import { parseText } from "../notations/parse-text.ts";
import type { Dialects } from "./dialects.ts";
import type { FieldPlan } from "./field-plan.ts";
import { type FieldSource, type Source, textKinds } from "./fields.ts";
import { type ByteWord, headOf } from "./byte-search.ts";
import type { TraceValues } from "./trace-values.ts";

/** The first `Source` number for values that were added from an event, a log record or a printed object. */
const ADDED = 1 << 24;
const UNREAD = Symbol("unread");
type Slot = JsonValue | undefined | typeof UNREAD;
/** Empty slots for the values of a span. Copying `unread` is much faster than creating a new array. */
const unread = Array.from<Slot>({ length: 128 }).fill(UNREAD);
const nowhere: readonly Source[] = [];

/** Texts with fewer characters cannot exceed `valueBounds`, and need no check. */
const LEAST_EXCESS = 2 * valueBounds.levels;

/** Values of one span by field. A value is decoded when it is first read, and then kept. */
export class FieldValues implements AdapterFacts {
  readonly span: SpanView;
  readonly plan: FieldPlan;
  readonly dialects: Dialects;
  readonly values: TraceValues;
  /** Whether the span has sources that its plan does not list: inferred, or added from an event, a log record or a printed object. */
  isInferred = false;
  /** All sources of each field that got sources from inference, events or records, including its declared sources. */
  #own: Map<number, Source[]> | null = null;
  /** Values from events, log records and printed objects. `parsed`: the value of a text that was read before. */
  #added: { readonly value: JsonValue; readonly name: string; parsed?: JsonValue }[] | null = null;
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

  /** Whether the field has a source: a declared or inferred attribute, or a value from an event or log record. */
  hasField(field: number): boolean {
    return this.plan.sources[field] !== undefined || (this.#own !== null && this.#own.has(field));
  }

  /** Whether the field may be composed of several attributes. The loss of one of these attributes leaves an incomplete value. */
  isInParts(field: number): boolean {
    return (
      this.dialects.derive?.[field] !== undefined || this.#sourcesOf(field).some((source) => source <= -2)
    );
  }

  /** Adds an inferred source after the declared sources. */
  infer(field: number, source: Source): void {
    this.isInferred = true;
    this.#own ??= new Map();
    const known = this.#own.get(field);
    if (known === undefined) this.#own.set(field, [...(this.plan.sources[field] ?? nowhere), source]);
    else known.push(source);
  }

  /** Adds a value from an event, a log record or a printed object. `name` is the value's name in the event, record or object. */
  add(field: number, value: JsonValue, name: string): void {
    this.infer(field, ADDED + (this.#added ??= []).push({ value, name }) - 1);
  }

  #sourcesOf(field: number): readonly Source[] {
    return this.#own?.get(field) ?? this.plan.sources[field] ?? nowhere;
  }

  /** The value of a source as it was sent. */
  rawAt(source: Source): JsonValue | undefined {
    if (source >= ADDED) return this.#added?.[source - ADDED]?.value;
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

  /** Like `rawAt`, but parses a text that is JSON or a printed object. */
  parsedAt(source: Source): JsonValue | undefined {
    const raw = this.rawAt(source);
    if (typeof raw !== "string") return raw;
    const added = source >= ADDED ? this.#added?.[source - ADDED] : undefined;
    if (added !== undefined) return (added.parsed ??= parseText(raw)?.value ?? raw);
    const slots = (this.#parsed ??= this.#slots());
    const known = slots[source];
    if (known !== UNREAD) return known;
    const value = parseText(raw)?.value ?? raw;
    slots[source] = value;
    return value;
  }

  /** Whether a text was not parsed, because its content is too deep or too large. */
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

  /** Returns the value that the span's adapters derive from several attributes; undefined if there is none. */
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

  /**
   * Returns the text of the field; null if it is absent, empty or a placeholder. A name or id that is JSON text in quotes is returned
   * without the quotes.
   */
  textAt(field: number): string | null {
    if (this.dialects.derive?.[field] !== undefined) {
      const text = textIn(this.#derive(field), field);
      if (text !== null) return text;
    }
    const sources = this.#own?.get(field) ?? this.plan.sources[field];
    if (sources === undefined) return null;
    for (const source of sources) {
      const text = source <= -2 ? null : textIn(this.rawAt(source), field);
      if (text !== null) return text;
    }
    return null;
  }

  /** Whether an attribute contains the field as an empty text. */
  isEmptyAt(field: number): boolean {
    return this.#sourcesOf(field).some((source) => this.rawAt(source) === "");
  }

  numberAt(field: number): number | null {
    return this.#scalarAt(field, numberIn);
  }

  booleanAt(field: number): boolean | null {
    return this.#scalarAt(field, booleanIn);
  }

  /**
   * Returns the first value of the field for which `scalarIn` returns a scalar; null if there is none. Values of indexed keys are not
   * scalars.
   */
  #scalarAt<T>(field: number, scalarIn: (value: JsonValue | undefined) => T | null): T | null {
    if (this.dialects.derive?.[field] !== undefined) {
      const derived = scalarIn(this.#derive(field));
      if (derived !== null) return derived;
    }
    const sources = this.#own?.get(field) ?? this.plan.sources[field];
    if (sources === undefined) return null;
    for (const source of sources) {
      const scalar = source <= -2 ? null : scalarIn(this.rawAt(source));
      if (scalar !== null) return scalar;
    }
    return null;
  }

  /** Returns the first value of the field; undefined if there is none. A text that is JSON or a printed object is parsed. */
  valueAt(field: number): JsonValue | undefined {
    return this.#nth(field, 0, true);
  }

  /** Returns the nth value of the field that is present and not a placeholder, in order of precedence; undefined after the last. */
  nthValue(field: number, n: number): JsonValue | undefined {
    return this.#nth(field, n, true);
  }

  /** Returns the field's nth value as it was sent; undefined after the last. */
  nthRaw(field: number, n: number): JsonValue | undefined {
    return this.#nth(field, n, false);
  }

  #nth(field: number, n: number, isParsed: boolean): JsonValue | undefined {
    let left = n;
    if (this.dialects.derive?.[field] !== undefined) {
      const derived = this.#derive(field);
      if (derived !== undefined && left-- === 0) return derived;
    }
    const sources = this.#own?.get(field) ?? this.plan.sources[field];
    if (sources === undefined) return undefined;
    for (const source of sources) {
      const raw = this.rawAt(source);
      if (raw === undefined || raw === null || raw === "") continue;
      if (typeof raw === "string" && isPlaceholder(raw)) continue;
      if (left-- === 0) return isParsed && typeof raw === "string" ? this.parsedAt(source) : raw;
    }
    return undefined;
  }

  /** Returns false if no value of the field can contain the word, otherwise true. Searches the bytes without decoding them. */
  mayMention(field: number, word: ByteWord): boolean {
    if (this.dialects.derive?.[field] !== undefined) return true;
    return this.#sourcesOf(field).some((source) => {
      const bytes = source < 0 || source >= ADDED ? undefined : this.span.textBytesAt?.(source);
      return bytes === undefined || word.mayBeIn(bytes);
    });
  }

  /** Returns the places that contain a field, in order of precedence. Used in explanations. */
  sourcesOf(field: Field): FieldSource[] {
    const at = fieldIndex(field);
    const derived = this.#derive(at);
    const found: FieldSource[] =
      derived === undefined ? [] : [{ attribute: null, origin: "derived", value: derived }];
    for (const source of this.#sourcesOf(at)) {
      const value = this.parsedAt(source);
      if (value === undefined || (typeof value === "string" && (value === "" || isPlaceholder(value))))
        continue;
      found.push({ ...this.#placeOf(at, source), value });
    }
    return found;
  }

  #placeOf(field: number, source: Source): Omit<FieldSource, "value"> {
    if (source >= ADDED) return { attribute: this.#added?.[source - ADDED]?.name ?? null, origin: "added" };
    const attribute = source >= 0 ? this.span.nameAt(source) : `${this.plan.trees[-2 - source] ?? ""}.*`;
    const isDeclared = this.plan.sources[field]?.includes(source) === true;
    return { attribute, origin: isDeclared ? "declared" : "inferred" };
  }

  // The following methods are for adapters that derive a field.

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

const QUOTE = 34;
const BRACKET = 91;
const digits = /^-?\d+(?:\.\d+)?$/;

/**
 * Returns the text of a field; null if it is empty, a placeholder, or an absent value printed as text, such as `None`. Names and ids are
 * returned without quotes. A name or id may be the only element of a list; a list with several elements gives null.
 */
function textIn(value: JsonValue | undefined, field: number): string | null {
  const kind = textKinds[field];
  if (typeof value !== "string") return kind !== undefined && isArray(value) ? onlyText(value, field) : null;
  if (value === "" || isPlaceholder(value)) return null;
  if (kind === undefined) return value;
  let plain = value;
  const first = value.charCodeAt(0);
  if ((first === QUOTE || first === BRACKET) && value.length >= 2 && value.length < 400) {
    const inner = parseText(value)?.value;
    if (typeof inner === "string") plain = inner;
    else if (isArray(inner)) return onlyText(inner, field);
  }
  return isAbsentId(plain) ? null : plain;
}

function onlyText(list: readonly JsonValue[], field: number): string | null {
  const [only] = list;
  return list.length === 1 && typeof only === "string" ? textIn(only, field) : null;
}

function numberIn(value: JsonValue | undefined): number | null {
  if (typeof value === "number") return value;
  return typeof value === "string" && value.length < 25 && digits.test(value) ? Number(value) : null;
}

function booleanIn(value: JsonValue | undefined): boolean | null {
  if (typeof value === "boolean") return value;
  const lower = typeof value === "string" && value.length <= 5 ? value.toLowerCase() : "";
  return lower === "true" || lower === "false" ? lower === "true" : null;
}
