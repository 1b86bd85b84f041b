import type { AttributeKey } from "../model/attribute-key.ts";
import type { JsonValue } from "../model/json.ts";
import type { AttributesView, SpanView } from "../model/span-view.ts";
import type { SpanFacts } from "./adapter.ts";
import type { FieldSource, FieldTable } from "./field-table.ts";
import { type Field, fieldIndex, fieldNames } from "./fields.ts";
import { type GuessedFields, guessFields } from "./guess/guessed-fields.ts";
import { unfold } from "./messages/unfold.ts";
import { isPlaceholder } from "./placeholder.ts";

const width = fieldNames.length;
const none: readonly FieldSource[] = [];

/** Reads which fields a set of attributes has, in one pass over its keys; nothing is decoded. */
export class FieldReader {
  readonly table: FieldTable;
  #slots = new Uint8Array(width);
  #marks: number[] = [];
  #roleBits = 0;
  #claimed = 0;
  #isPlumbing = false;
  readonly #scopes = new Map<string, readonly number[]>();

  constructor(table: FieldTable) {
    this.table = table;
  }

  read(span: SpanView): SpanReading {
    this.#begin(span);
    for (const mark of this.#scopeMarks(span.scopeName))
      if (!this.#marks.includes(mark)) this.#marks.push(mark);
    const isGuessable = !this.#isPlumbing && this.#claimed < span.size;
    return new SpanReading(span, this.table, this.#slots, this.#marks, this.#roleBits, isGuessable);
  }

  attributes(view: AttributesView): Reading {
    this.#begin(view);
    return new Reading(view, this.table, this.#slots);
  }

  /** Scope names come from strangers: only so many are remembered. */
  #scopeMarks(scope: string): readonly number[] {
    let marks = this.#scopes.get(scope);
    if (marks === undefined) {
      marks = marksOfScope(this.table, scope);
      if (this.#scopes.size < 500) this.#scopes.set(scope, marks);
    }
    return marks;
  }

  #begin(view: AttributesView): void {
    this.#slots = new Uint8Array(width);
    this.#marks = [];
    this.#roleBits = 0;
    this.#claimed = 0;
    this.#isPlumbing = false;
    view.eachKey(this.#visit);
  }

  readonly #visit = (key: AttributeKey): void => {
    const { entries, marks, roleRanks, claimed, plumbing } = this.table;
    if (claimed[key] === true) this.#claimed += 1;
    else if (plumbing[key] === true) this.#isPlumbing = true;
    const list = entries[key];
    if (list !== undefined) {
      for (const entry of list) {
        const field = entry >> 8;
        const rank = (entry & 255) + 1;
        const held = this.#slots[field] ?? 0;
        if (held === 0 || rank < held) this.#slots[field] = rank;
      }
    }
    const mark = marks[key];
    if (mark !== undefined && !this.#marks.includes(mark)) this.#marks.push(mark);
    const roleRank = roleRanks[key];
    if (roleRank !== undefined) this.#roleBits |= 1 << roleRank;
  };
}

function marksOfScope(table: FieldTable, scope: string): readonly number[] {
  const matches = (pattern: string) =>
    pattern.endsWith("*") ? scope.startsWith(pattern.slice(0, -1)) : scope === pattern;
  return table.adapters.flatMap((adapter, index) => (adapter.scopes?.some(matches) === true ? [index] : []));
}

/** The fields of one set of attributes: a span's, an event's or a log record's. */
export class Reading {
  readonly view: AttributesView;
  readonly table: FieldTable;
  readonly #slots: Uint8Array;
  #isGuessable: boolean;
  #guessed: GuessedFields | undefined;

  constructor(view: AttributesView, table: FieldTable, slots: Uint8Array, isGuessable = false) {
    this.view = view;
    this.table = table;
    this.#slots = slots;
    this.#isGuessable = isGuessable;
  }

  /**
   * From now on fields are also read from attributes that no adapter claims, by the looks of their names. Undefined where there
   * are none of these.
   */
  guess(): GuessedFields | undefined {
    if (this.#isGuessable) {
      this.#isGuessable = false;
      this.#guessed = guessFields(this.view, this.table);
    }
    return this.#guessed;
  }

  has(field: Field): boolean {
    return this.#slots[fieldIndex.get(field) ?? 0] !== 0 || this.#guessed?.fields.has(field) === true;
  }

  text(field: Field): string | undefined {
    return this.#first(field, (source) => {
      const text = source.tree === undefined ? this.#text(source) : undefined;
      return text === undefined || text === "" || isPlaceholder(text) ? undefined : text;
    });
  }

  number(field: Field): number | undefined {
    return this.#first(field, (source) => {
      if (source.key !== undefined) return this.view.number(source.key);
      const value = this.view.named(source.attribute);
      const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
      return typeof number === "number" ? number : undefined;
    });
  }

  boolean(field: Field): boolean | undefined {
    return this.#first(field, (source) => {
      if (source.key !== undefined) return this.view.boolean(source.key);
      const value = this.view.named(source.attribute);
      return typeof value === "boolean" ? value : undefined;
    });
  }

  #text({ key, attribute }: FieldSource): string | undefined {
    if (key !== undefined) return this.view.text(key);
    const value = this.view.named(attribute);
    return typeof value === "string" ? value : undefined;
  }

  json(field: Field): JsonValue | undefined {
    return this.#first(field, (source) => this.#value(source));
  }

  /** The field's values from all attributes that have one, best first. */
  all(field: Field): JsonValue[] {
    const values: JsonValue[] = [];
    this.#first(field, (source) => {
      const value = this.#value(source);
      if (value !== undefined) values.push(value);
      return undefined;
    });
    return values;
  }

  /** The attribute that the field is read from. */
  attributeOf(field: Field): string | undefined {
    return this.#first(field, (source) => (this.#value(source) === undefined ? undefined : source.attribute));
  }

  #value({ key, attribute, tree }: FieldSource): JsonValue | undefined {
    if (tree !== undefined) return this.view.tree(tree);
    const value = key === undefined ? this.view.named(attribute) : this.view.value(key);
    if (typeof value !== "string") return value ?? undefined;
    return value === "" || isPlaceholder(value) ? undefined : unfold(value, 1);
  }

  #first<T>(field: Field, read: (source: FieldSource) => T | undefined): T | undefined {
    const index = fieldIndex.get(field) ?? 0;
    const held = this.#slots[index] ?? 0;
    const sources = held === 0 ? none : (this.table.sources[index] ?? none);
    for (let rank = held - 1; rank < sources.length; rank += 1) {
      const source = sources[rank];
      const value = source === undefined ? undefined : read(source);
      if (value !== undefined) return value;
    }
    for (const source of this.#guessed?.fields.get(field) ?? none) {
      const value = read(source);
      if (value !== undefined) return value;
    }
    return undefined;
  }
}

/** A span's fields, with what the marked adapters derive from more than one attribute. */
export class SpanReading extends Reading implements SpanFacts {
  readonly span: SpanView;
  /** Adapters (by their place in the table) whose marker is on the span. */
  readonly marks: readonly number[];
  /** Which of the table's role attributes are there. */
  readonly roleBits: number;
  #deriving: Field | undefined;

  constructor(
    span: SpanView,
    table: FieldTable,
    slots: Uint8Array,
    marks: readonly number[],
    roleBits: number,
    isGuessable: boolean,
  ) {
    super(span, table, slots, isGuessable);
    this.span = span;
    this.marks = marks;
    this.roleBits = roleBits;
  }

  override text(field: Field): string | undefined {
    const derived = this.#derive(field);
    return typeof derived === "string" && derived !== "" ? derived : super.text(field);
  }

  override number(field: Field): number | undefined {
    const derived = this.#derive(field);
    return typeof derived === "number" ? derived : super.number(field);
  }

  override boolean(field: Field): boolean | undefined {
    const derived = this.#derive(field);
    return typeof derived === "boolean" ? derived : super.boolean(field);
  }

  override json(field: Field): JsonValue | undefined {
    return this.#derive(field) ?? super.json(field);
  }

  override all(field: Field): JsonValue[] {
    const derived = this.#derive(field);
    const values = super.all(field);
    return derived === undefined ? values : [derived, ...values];
  }

  #derive(field: Field): JsonValue | undefined {
    if (this.#deriving !== undefined) return undefined;
    for (const mark of this.marks) {
      const derive = this.table.adapters[mark]?.derive?.[field];
      if (derive === undefined) continue;
      this.#deriving = field;
      try {
        const value = derive(this);
        if (value !== undefined && value !== null) return value;
      } finally {
        this.#deriving = undefined;
      }
    }
    return undefined;
  }
}
