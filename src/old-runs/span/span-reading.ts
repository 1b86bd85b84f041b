import type { JsonValue } from "../../model/json.ts";
import { declaredKey } from "../../model/telemetry/attribute-key.ts";
import type { KeyLayout } from "../../model/telemetry/key-layout.ts";
import type { AttributesView, SpanView } from "../../model/telemetry/span-view.ts";
import type { SpanFacts } from "../../../adapters/adapter-type.ts";
import { type InferredFields, inferFields } from "../undeclared/inferred-fields.ts";
import type { Dialects } from "../layout/dialects.ts";
import { FieldLayout } from "../layout/field-layout.ts";
import type { FieldSource, FieldTable } from "../layout/field-table.ts";
import { plainText, textOf, valueOf } from "../layout/field-text.ts";
import { type Field, fieldIndex, fieldNames } from "../../../adapters/field-names.ts";
import type { Histories } from "../messages/history.ts";
import { unfold } from "../messages/unfold.ts";
import { isPlaceholder } from "../text/placeholder.ts";
import { headOf, type ByteWord } from "../text/byte-search.ts";
import { bytesOf, FieldValues, rawValue } from "./field-values.ts";

const none: readonly FieldSource[] = [];
const noValues: readonly JsonValue[] = [];

/** Finds the fields of sets of attributes by their keys; the result is cached for each layout. Values are not decoded. */
export class FieldReader {
  readonly table: FieldTable;
  /** By name: how the attributes of an event are read. */
  readonly events: ReadonlyMap<string, { readonly reader: FieldReader; readonly body: Field | undefined }>;
  /** Filled one by one: events have few layouts. */
  readonly #known: ({ readonly keys: KeyLayout; readonly fields: FieldLayout } | undefined)[] = [];

  constructor(table: FieldTable) {
    this.table = table;
    this.events = new Map(
      [...table.events].map(([name, { fields, body }]) => [name, { reader: new FieldReader(fields), body }]),
    );
  }

  /** `histories`: the message lists of the span's trace. */
  read(span: SpanView, histories: Histories): SpanReading {
    const layout = this.layoutOf(span);
    return new SpanReading(span, layout, layout.dialects(span.scopeName), histories);
  }

  attributes(view: AttributesView): Reading {
    const layout = this.layoutOf(view);
    return new Reading(view, layout, layout.isInferable);
  }

  layoutOf(view: AttributesView): FieldLayout {
    const { layout } = view;
    if (layout === undefined || layout.cell < 0) return new FieldLayout(view, this.table);
    const known = this.#known[layout.cell];
    if (known?.keys === layout) return known.fields;
    const fields = new FieldLayout(view, this.table);
    this.#known[layout.cell] = { keys: layout, fields };
    return fields;
  }
}

/** The fields of one set of attributes: a span's, an event's or a log record's. */
export class Reading {
  readonly view: AttributesView;
  readonly layout: FieldLayout;
  /** Attributes that were not examined because the set holds too many. */
  unexamined = 0;
  #isInferable: boolean;
  #inferred: InferredFields | undefined;
  /** The fields whose values were read, the last one first: few enough to be searched one by one. */
  #values: FieldValues | undefined;

  constructor(view: AttributesView, layout: FieldLayout, isInferable: boolean) {
    this.view = view;
    this.layout = layout;
    this.#isInferable = isInferable;
  }

  get table(): FieldTable {
    return this.layout.table;
  }

  /**
   * From now on fields are also read from attributes that no adapter claims, by the shape of their names and values. Undefined where
   * there are none of these.
   */
  infer(): InferredFields | undefined {
    if (this.#isInferable) {
      this.#isInferable = false;
      const { attributes, unexamined } = this.layout.inferences(this.view);
      this.unexamined = unexamined;
      if (attributes.length > 0) this.#inferred = inferFields(this.view, attributes);
      if (this.#inferred !== undefined) this.#forget(this.#inferred);
    }
    return this.#inferred;
  }

  /** Forgets values of fields that are read from more attributes than before. */
  #forget({ fields }: InferredFields): void {
    let kept: FieldValues | undefined;
    for (let read = this.#values; read !== undefined;) {
      const { next } = read;
      if (!fields.has(fieldNames[read.field] as Field) && !this.derives(read.field)) {
        read.next = kept;
        kept = read;
      }
      read = next;
    }
    this.#values = kept;
  }

  has(field: Field): boolean {
    return this.layout.has(fieldIndex(field)) || this.#inferred?.fields.has(field) === true;
  }

  /** The field's text; undefined where it holds none, an empty one or a placeholder. */
  text(field: Field): string | undefined {
    const at = fieldIndex(field);
    const derived = this.derive(at);
    if (typeof derived === "string" && derived !== "") {
      const plain = plainText(at, derived);
      if (plain !== undefined) return plain;
    }
    if (isLong[at] === true) return this.has(field) ? this.#valuesOf(field, at).text() : undefined;
    const declared = this.layout.text(at, this.view);
    if (declared !== undefined || this.#inferred === undefined) return declared;
    for (const source of this.#inferences(field)) {
      const text = textOf(this.view, source);
      const plain = text === undefined ? undefined : plainText(at, text);
      if (plain !== undefined) return plain;
    }
    return undefined;
  }

  number(field: Field): number | undefined {
    const at = fieldIndex(field);
    const derived = this.derive(at);
    if (typeof derived === "number") return derived;
    const declared = this.layout.number(at, this.view);
    if (declared !== undefined || this.#inferred === undefined) return declared;
    for (const source of this.#inferences(field)) {
      const value = valueOf(this.view, source);
      if (typeof value === "number") return value;
      if (typeof value === "string" && /^\d+$/.test(value)) return Number(value);
    }
    return undefined;
  }

  boolean(field: Field): boolean | undefined {
    const at = fieldIndex(field);
    const derived = this.derive(at);
    if (typeof derived === "boolean") return derived;
    for (const { key } of this.layout.sources(at, this.view)) {
      const truth = key === undefined ? undefined : this.view.boolean(key);
      if (truth !== undefined) return truth;
    }
    for (const source of this.#inferences(field)) {
      const value = valueOf(this.view, source);
      if (typeof value === "boolean") return value;
    }
    return undefined;
  }

  /** The field's first value; a text that holds JSON is parsed. */
  json(field: Field): JsonValue | undefined {
    const at = fieldIndex(field);
    return this.#mayHave(field, at) ? this.#valuesOf(field, at).first() : undefined;
  }

  /** The field's values from all attributes that have one, best first. */
  all(field: Field): readonly JsonValue[] {
    const at = fieldIndex(field);
    return this.#mayHave(field, at) ? this.#valuesOf(field, at).all() : noValues;
  }

  /** False where no value of the field can hold the word: told from the bytes, before anything is decoded. */
  mayMention(field: Field, word: ByteWord): boolean {
    const at = fieldIndex(field);
    if (this.derives(at)) return true;
    for (const source of this.#sources(field, at)) {
      const bytes = bytesOf(this.view, source);
      if (bytes === undefined || word.mayBeIn(bytes)) return true;
    }
    return false;
  }

  /** Every attribute that holds the field, best first, with its value; null: adapters derive it from several attributes. */
  sourcesOf(field: Field): { attribute: string | null; value: JsonValue }[] {
    const at = fieldIndex(field);
    const derived = this.derive(at);
    const own = this.#sources(field, at).flatMap((source) => {
      const raw = rawValue(this.view, source);
      if (raw === undefined || (typeof raw === "string" && (raw === "" || isPlaceholder(raw)))) return [];
      const { attribute, tree } = source;
      const value = typeof raw === "string" ? unfold(raw, 1) : raw;
      return [{ attribute: tree === undefined ? attribute : `${tree}.*`, value }];
    });
    return derived === undefined ? own : [{ attribute: null, value: derived }, ...own];
  }

  /** What was inferred so far. */
  protected get inferred(): InferredFields | undefined {
    return this.#inferred;
  }

  /** The value that adapters make of several attributes; `at`: index of the field. */
  protected derive(_at: number): JsonValue | undefined {
    return undefined;
  }

  protected derives(_at: number): boolean {
    return false;
  }

  /** The message lists of the trace; undefined for attributes that are not a span's own. */
  protected get lists(): Histories | undefined {
    return undefined;
  }

  /** An adapter's function is running. */
  protected get isDeriving(): boolean {
    return false;
  }

  #mayHave(field: Field, at: number): boolean {
    return this.layout.has(at) || this.#inferred?.fields.has(field) === true || this.derives(at);
  }

  #valuesOf(field: Field, at: number): FieldValues {
    for (let read = this.#values; read !== undefined; read = read.next) if (read.field === at) return read;
    const values = new FieldValues(
      at,
      this.view,
      this.#sources(field, at),
      this.derive(at),
      this.#values,
      this.lists,
    );
    // An adapter that derives a field reads the others as they are.
    if (!this.isDeriving) this.#values = values;
    return values;
  }

  #sources(field: Field, at: number): readonly FieldSource[] {
    const declared = this.layout.sources(at, this.view);
    const inferred = this.#inferences(field);
    return inferred.length === 0 ? declared : [...declared, ...inferred];
  }

  #inferences(field: Field): readonly FieldSource[] {
    return this.#inferred === undefined ? none : (this.#inferred.fields.get(field) ?? none);
  }
}

/** Fields whose texts are long and read more than once: they are decoded once. */
const longFields: readonly Field[] = ["input", "output", "parameters", "arguments", "result", "metadata"];
const isLong: readonly boolean[] = fieldNames.map((field) => longFields.includes(field));

/** What adapters made of a span's attributes, of which more may be known once fields are inferred. */
interface DerivedValue {
  readonly field: number;
  readonly inferred: InferredFields | undefined;
  readonly value: JsonValue | undefined;
  readonly next: DerivedValue | undefined;
}

/** A span's fields, with what the marked adapters derive from more than one attribute. */
export class SpanReading extends Reading implements SpanFacts {
  readonly span: SpanView;
  readonly dialects: Dialects;
  readonly histories: Histories;
  #deriving = false;
  /** What adapters derived, the last one first: each value is used several times. */
  #derivedValues: DerivedValue | undefined;

  constructor(span: SpanView, layout: FieldLayout, dialects: Dialects, histories: Histories) {
    super(span, layout, layout.isInferable);
    this.histories = histories;
    this.span = span;
    this.dialects = dialects;
  }

  protected override get lists(): Histories {
    return this.histories;
  }

  head(attribute: string): string | undefined {
    const known = declaredKey(attribute);
    const bytes = known === undefined ? undefined : this.span.textBytes?.(known);
    if (bytes !== undefined) return headOf(bytes);
    const value = this.span.named(attribute);
    return typeof value === "string" ? value : undefined;
  }

  protected override get isDeriving(): boolean {
    return this.#deriving;
  }

  protected override derives(at: number): boolean {
    return this.dialects.derive[at] !== undefined;
  }

  protected override derive(at: number): JsonValue | undefined {
    const all = this.dialects.derive[at];
    if (all === undefined || this.#deriving) return undefined;
    const inferred = this.inferred;
    for (let known = this.#derivedValues; known !== undefined; known = known.next)
      if (known.field === at && known.inferred === inferred) return known.value;
    const value = this.#derived(all);
    this.#derivedValues = { field: at, inferred, value, next: this.#derivedValues };
    return value;
  }

  #derived(all: NonNullable<Dialects["derive"][number]>): JsonValue | undefined {
    this.#deriving = true;
    try {
      for (const derive of all) {
        const value = derive(this);
        if (value !== undefined && value !== null) return value;
      }
    } finally {
      this.#deriving = false;
    }
    return undefined;
  }
}
