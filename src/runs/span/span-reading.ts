import type { JsonValue } from "../../model/json.ts";
import type { KeyLayout } from "../../model/key-layout.ts";
import type { AttributesView, SpanView } from "../../model/span-view.ts";
import type { SpanFacts } from "../adapter.ts";
import type { Dialects } from "../layout/dialects.ts";
import { FieldLayout } from "../layout/field-layout.ts";
import { plainText, textOf } from "../layout/field-text.ts";
import type { FieldSource, FieldTable } from "../layout/field-table.ts";
import { type Field, fieldIndex } from "../layout/fields.ts";
import { type InferredFields, inferFields } from "../inference/inferred-fields.ts";
import { unfold } from "../messages/unfold.ts";
import { isPlaceholder } from "../text/placeholder.ts";

const none: readonly FieldSource[] = [];

/** Tells which fields a set of attributes has: from its keys, once for all sets of one layout; nothing is decoded. */
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

  read(span: SpanView): SpanReading {
    const layout = this.layoutOf(span);
    return new SpanReading(span, layout, layout.dialects(span.scopeName));
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
  #isInferable: boolean;
  #inferred: InferredFields | undefined;

  constructor(view: AttributesView, layout: FieldLayout, isInferable: boolean) {
    this.view = view;
    this.layout = layout;
    this.#isInferable = isInferable;
  }

  get table(): FieldTable {
    return this.layout.table;
  }

  /**
   * From now on fields are also read from attributes that no adapter claims, by the looks of their names. Undefined where there
   * are none of these.
   */
  infer(): InferredFields | undefined {
    if (this.#isInferable) {
      this.#isInferable = false;
      const names = this.layout.inferences(this.view);
      if (names.length > 0) this.#inferred = inferFields(this.view, names);
    }
    return this.#inferred;
  }

  has(field: Field): boolean {
    return this.layout.has(fieldIndex(field)) || this.#inferred?.fields.has(field) === true;
  }

  text(field: Field): string | undefined {
    return this.textAt(field, fieldIndex(field));
  }

  /** `at`: the field's index, looked up already. */
  protected textAt(field: Field, at: number): string | undefined {
    const declared = this.layout.text(at, this.view);
    if (declared !== undefined) return declared;
    if (this.#inferred === undefined) return undefined;
    for (const source of this.#inferences(field)) {
      const text = textOf(this.view, source);
      if (text !== undefined) return plainText(at, text);
    }
    return undefined;
  }

  number(field: Field): number | undefined {
    return this.numberAt(field, fieldIndex(field));
  }

  protected numberAt(field: Field, at: number): number | undefined {
    const declared = this.layout.number(at, this.view);
    if (declared !== undefined) return declared;
    if (this.#inferred === undefined) return undefined;
    for (const { attribute } of this.#inferences(field)) {
      const value = this.view.named(attribute);
      if (typeof value === "number") return value;
      if (typeof value === "string" && /^\d+$/.test(value)) return Number(value);
    }
    return undefined;
  }

  boolean(field: Field): boolean | undefined {
    for (const { key } of this.#sources(field)) {
      const truth = key === undefined ? undefined : this.view.boolean(key);
      if (truth !== undefined) return truth;
    }
    for (const { attribute } of this.#inferences(field)) {
      const value = this.view.named(attribute);
      if (typeof value === "boolean") return value;
    }
    return undefined;
  }

  json(field: Field): JsonValue | undefined {
    return this.has(field) ? this.#firstSource(field)?.value : undefined;
  }

  /** The field's values from all attributes that have one, best first. */
  all(field: Field): JsonValue[] {
    const values: JsonValue[] = [];
    for (const source of this.#sources(field)) {
      const value = valueOf(this.view, source);
      if (value !== undefined) values.push(value);
    }
    for (const source of this.#inferences(field)) {
      const value = valueOf(this.view, source);
      if (value !== undefined) values.push(value);
    }
    return values;
  }

  /** The attribute that the field is read from. */
  attributeOf(field: Field): string | undefined {
    return this.#firstSource(field)?.source.attribute;
  }

  /** Every attribute that holds the field, best first, with its value; null: adapters derive it from several attributes. */
  sourcesOf(field: Field): { attribute: string | null; value: JsonValue }[] {
    return [...this.#sources(field), ...this.#inferences(field)].flatMap((source) => {
      const value = valueOf(this.view, source);
      const { attribute, tree } = source;
      return value === undefined ? [] : [{ attribute: tree === undefined ? attribute : `${tree}.*`, value }];
    });
  }

  #firstSource(field: Field): { source: FieldSource; value: JsonValue } | undefined {
    for (const source of this.#sources(field)) {
      const value = valueOf(this.view, source);
      if (value !== undefined) return { source, value };
    }
    for (const source of this.#inferences(field)) {
      const value = valueOf(this.view, source);
      if (value !== undefined) return { source, value };
    }
    return undefined;
  }

  #sources(field: Field): readonly FieldSource[] {
    return this.layout.sources(fieldIndex(field), this.view);
  }

  #inferences(field: Field): readonly FieldSource[] {
    return this.#inferred === undefined ? none : (this.#inferred.fields.get(field) ?? none);
  }
}

function valueOf(view: AttributesView, { key, attribute, tree }: FieldSource): JsonValue | undefined {
  if (tree !== undefined) return view.tree(tree);
  const value = key === undefined ? view.named(attribute) : view.value(key);
  if (typeof value !== "string") return value ?? undefined;
  return value === "" || isPlaceholder(value) ? undefined : unfold(value, 1);
}

/** A span's fields, with what the marked adapters derive from more than one attribute. */
export class SpanReading extends Reading implements SpanFacts {
  readonly span: SpanView;
  readonly dialects: Dialects;
  #deriving = false;

  constructor(span: SpanView, layout: FieldLayout, dialects: Dialects) {
    super(span, layout, layout.isInferable);
    this.span = span;
    this.dialects = dialects;
  }

  override text(field: Field): string | undefined {
    const at = fieldIndex(field);
    const derived = this.#derive(at);
    return typeof derived === "string" && derived !== "" ? derived : this.textAt(field, at);
  }

  override number(field: Field): number | undefined {
    const at = fieldIndex(field);
    const derived = this.#derive(at);
    return typeof derived === "number" ? derived : this.numberAt(field, at);
  }

  override boolean(field: Field): boolean | undefined {
    const derived = this.#derive(fieldIndex(field));
    return typeof derived === "boolean" ? derived : super.boolean(field);
  }

  override json(field: Field): JsonValue | undefined {
    return this.#derive(fieldIndex(field)) ?? super.json(field);
  }

  override all(field: Field): JsonValue[] {
    const derived = this.#derive(fieldIndex(field));
    const values = super.all(field);
    return derived === undefined ? values : [derived, ...values];
  }

  override sourcesOf(field: Field): { attribute: string | null; value: JsonValue }[] {
    const derived = this.#derive(fieldIndex(field));
    const own = super.sourcesOf(field);
    return derived === undefined ? own : [{ attribute: null, value: derived }, ...own];
  }

  #derive(at: number): JsonValue | undefined {
    const all = this.dialects.derive[at];
    return all === undefined || this.#deriving ? undefined : this.#derived(all);
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
