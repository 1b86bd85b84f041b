import { SpanColumn } from "../../otlp/rows/columns.ts";
import type { Placed, RowRef } from "./row-ref.ts";
import { compareColumns } from "./rows.ts";

/**
 * One span row for each span id. A producer may export a span twice, unfinished and finished. The row with the later end counts; if the
 * ends are equal, the row with more attributes; if these are equal, too, the first.
 */
export class RowsById {
  /** In the order in which the ids arrived. */
  readonly rows: Placed[] = [];
  /** Places in `rows` by the first word of the id, and by the second word if several ids have the same first word. */
  readonly #places = new Map<number, number | Map<number, number>>();

  readonly #seed: number;

  /** @param seed random number, so that senders cannot choose span ids that collide in the map */
  constructor(received: readonly Placed[], seed: number) {
    this.#seed = seed;
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

  #placeOf({ batch: { rows }, at }: RowRef, column: number): number {
    const found = this.#places.get(this.#keyOf(rows[at + column] as number)) ?? -1;
    const second = rows[at + column + 1] as number;
    if (typeof found !== "number") return found.get(this.#keyOf(second)) ?? -1;
    return found >= 0 && secondWordOf(this.rows[found] as Placed) === second ? found : -1;
  }

  /** Different words have different keys, because the factor is odd. */
  #keyOf(word: number): number {
    return Math.imul(word ^ this.#seed, this.#seed | 1);
  }

  #add(row: Placed): void {
    const first = this.#keyOf(row.batch.rows[row.at + SpanColumn.spanId] as number);
    const place = this.rows.push(row) - 1;
    const known = this.#places.get(first);
    if (known === undefined) this.#places.set(first, place);
    else if (typeof known === "number")
      this.#places.set(
        first,
        new Map([known, place].map((at) => [this.#keyOf(secondWordOf(this.rows[at] as Placed)), at])),
      );
    else known.set(this.#keyOf(secondWordOf(row)), place);
  }
}

function secondWordOf({ batch, at }: RowRef): number {
  return batch.rows[at + SpanColumn.spanId + 1] as number;
}

function isFuller(a: RowRef, b: RowRef): boolean {
  const end = compareColumns(a, SpanColumn.end, b, SpanColumn.end);
  if (end !== 0) return end > 0;
  const count = SpanColumn.attributes + 1;
  return (a.batch.rows[a.at + count] as number) > (b.batch.rows[b.at + count] as number);
}
