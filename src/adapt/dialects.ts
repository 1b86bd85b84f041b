import type { JsonValue } from "../model/json.ts";
import type { Adapter, SpanFacts } from "./adapter.ts";
import type { FieldTable } from "./field-table.ts";
import { fieldNames, intricate } from "./fields.ts";

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
  /** There is a dialect, and none of the fields that an orderly span has not got is made up from others. */
  readonly isOrderly: boolean;

  constructor(table: FieldTable, marks: readonly number[]) {
    this.marks = marks;
    this.adapters = marks.flatMap((mark) => table.adapters[mark] ?? []);
    this.withHabits = this.adapters.filter(({ apart }) => apart !== undefined);
    this.derive = fieldNames.map((field) => {
      const all = this.adapters.flatMap((adapter) => adapter.derive?.[field] ?? []);
      return all.length === 0 ? undefined : all;
    });
    this.isOrderly = marks.length > 0 && intricate.every((field) => this.derive[field] === undefined);
  }
}
