import { SpanColumn } from "../../otlp/rows/columns.ts";
import type { Placed, RowRef } from "./row-ref.ts";
import { compareColumns } from "./rows.ts";

/** Maximum number of rows that are searched one after another, because a map would be slower. */
export const FEW = 32;

/**
 * One span row for each span id. A producer may export a span twice, unfinished and finished. The row with the later end counts; if the
 * ends are equal, the row with more attributes; if these are equal, too, the first.
 */
export class RowsById {
  /** In the order in which the ids arrived. */
  readonly rows: Placed[] = [];
  /** Places in `rows` by the first word of the id, and by the second word if several ids have the same first word. */
  readonly #places: Map<number, number | Map<number, number>> | null;

  constructor(received: readonly Placed[]) {
    this.#places = received.length <= FEW ? null : new Map();
    for (const row of received) {
      const place = this.#placeOf(row, SpanColumn.spanId);
      if (place < 0) this.#add(row);
      else if (isFuller(row, this.rows[place] as Placed)) this.rows[place] = row;
    }
  }

  /** Returns the row of the span whose id is in this column of `ref`; undefined if the span is missing. */
  find(ref: RowRef, column: number): Placed | undefined {
    return this.rows[this.#placeOf(ref, column)];
  }

  #placeOf({ batch, at }: RowRef, column: number): number {
    const first = batch.rows[at + column];
    const second = batch.rows[at + column + 1];
    const places = this.#places;
    if (places === null) return this.#search(first, second);
    const found = first === undefined ? undefined : places.get(first);
    if (typeof found === "number") return secondWordOf(this.rows[found] as Placed) === second ? found : -1;
    return second === undefined ? -1 : (found?.get(second) ?? -1);
  }

  #search(first: number | undefined, second: number | undefined): number {
    const { rows } = this;
    for (let place = 0; place < rows.length; place++) {
      const { batch, at } = rows[place] as Placed;
      const id = at + SpanColumn.spanId;
      if (batch.rows[id] === first && batch.rows[id + 1] === second) return place;
    }
    return -1;
  }

  #add(row: Placed): void {
    const place = this.rows.push(row) - 1;
    const places = this.#places;
    if (places === null) return;
    const first = row.batch.rows[row.at + SpanColumn.spanId] ?? 0;
    const known = places.get(first);
    if (known === undefined) places.set(first, place);
    else if (typeof known === "number")
      places.set(
        first,
        new Map([known, place].map((at) => [secondWordOf(this.rows[at] as Placed), at] as const)),
      );
    else known.set(secondWordOf(row), place);
  }
}

function secondWordOf({ batch, at }: RowRef): number {
  return batch.rows[at + SpanColumn.spanId + 1] ?? 0;
}

function isFuller(a: RowRef, b: RowRef): boolean {
  const end = compareColumns(a, SpanColumn.end, b, SpanColumn.end);
  if (end !== 0) return end > 0;
  const count = SpanColumn.attributes + 1;
  return (a.batch.rows[a.at + count] ?? 0) > (b.batch.rows[b.at + count] ?? 0);
}
