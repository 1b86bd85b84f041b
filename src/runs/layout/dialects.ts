import type { JsonValue } from "../../model/json.ts";
import type { Adapter, SpanFacts } from "../adapter.ts";
import type { FieldTable } from "./field-table.ts";
import { fieldNames } from "./fields.ts";

type Derive = (span: SpanFacts) => JsonValue | undefined;

/** The adapters that are marked on a span, and what of theirs is more than a table. */
export class Dialects {
  /** By their places in the table of adapters. */
  readonly marks: readonly number[];
  readonly adapters: readonly Adapter[];
  /** Those that leave tokens out of their counts. */
  readonly withHabits: readonly Adapter[];
  /** By field: the functions that derive it. */
  readonly derive: readonly (readonly Derive[] | undefined)[];
  /** How names of spans begin that only show what others show. */
  readonly #copies: readonly string[];
  /** Those that have the last word on a span's role. */
  readonly correcting: readonly Adapter[];
  /** Some field is derived from several attributes, or from part of one. */
  readonly hasDerived: boolean;

  constructor(table: FieldTable, marks: readonly number[]) {
    this.marks = marks;
    this.adapters = marks.flatMap((mark) => table.adapters[mark] ?? []);
    this.#copies = this.adapters.flatMap(({ copies }) => copies ?? []);
    this.correcting = this.adapters.filter(({ role }) => role !== undefined);
    this.withHabits = this.adapters.filter(({ apart }) => apart !== undefined);
    this.derive = fieldNames.map((field) => {
      const all = this.adapters.flatMap((adapter) => adapter.derive?.[field] ?? []);
      return all.length === 0 ? undefined : all;
    });
    this.hasDerived = this.derive.some((all) => all !== undefined);
  }

  /** Whether a span of this name shows what others show. */
  isCopy(name: string): boolean {
    for (const begin of this.#copies) if (name.startsWith(begin)) return true;
    return false;
  }
}
