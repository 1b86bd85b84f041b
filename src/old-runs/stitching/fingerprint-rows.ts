import type { CallFingerprint } from "./call-fingerprint.ts";

/** Columns: start, end, output (NaN when unknown), number of the scope, number of the response id (-1 for none). */
const WIDTH = 5;
/** Few: a sender chooses how many services there are, and each has a table. */
const LEAST_ROWS = 1 << 4;

/** Prints in rows of numbers: there are very many, they live long, and nearly none is ever looked at. */
export class FingerprintRows {
  #rows = new Float64Array(WIDTH * LEAST_ROWS);
  #size = 0;
  readonly #scopes: string[] = [];
  readonly #scopeNumbers = new Map<string, number>();
  readonly #responseIds: string[] = [];

  get size(): number {
    return this.#size;
  }

  /** Whether all are of this scope; true as well when there are none. */
  areAllOf(scope: string): boolean {
    return this.#scopes.length === 0 || (this.#scopes.length === 1 && this.#scopes[0] === scope);
  }

  add({ start, end, output, scope, responseId }: CallFingerprint): void {
    const at = WIDTH * this.#size++;
    if (at === this.#rows.length) this.#grow();
    const rows = this.#rows;
    rows[at] = start;
    rows[at + 1] = end;
    rows[at + 2] = output ?? Number.NaN;
    rows[at + 3] = this.#scopeNumber(scope);
    rows[at + 4] = responseId === undefined ? -1 : this.#responseIds.push(responseId) - 1;
  }

  /** The fingerprint that was added as the `row`th, from 0. */
  at(row: number): CallFingerprint {
    const rows = this.#rows;
    const from = WIDTH * row;
    const output = rows[from + 2] ?? Number.NaN;
    return {
      start: rows[from] ?? 0,
      end: rows[from + 1] ?? 0,
      scope: this.#scopes[rows[from + 3] ?? 0] ?? "",
      responseId: this.#responseIds[rows[from + 4] ?? -1],
      output: Number.isNaN(output) ? undefined : output,
    };
  }

  #scopeNumber(scope: string): number {
    const known = this.#scopeNumbers.get(scope);
    if (known !== undefined) return known;
    const number = this.#scopes.push(scope) - 1;
    this.#scopeNumbers.set(scope, number);
    return number;
  }

  #grow(): void {
    const rows = this.#rows;
    this.#rows = new Float64Array(2 * rows.length);
    this.#rows.set(rows);
  }
}
