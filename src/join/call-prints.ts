import { type CallPrint, isCopy } from "./call-print.ts";
import { PrintRows } from "./print-rows.ts";
import { SetIndex } from "./set-index.ts";

/** Prints of released runs' calls; the oldest are forgotten first. */
export class CallPrints {
  readonly #limit: number;
  #newer = new Generation();
  #older = new Generation();

  /** At least the last `limit` prints are kept, and at most twice as many. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  add(prints: readonly CallPrint[]): void {
    for (const print of prints) this.#newer.add(print);
    if (this.#newer.size < this.#limit) return;
    this.#older = this.#newer;
    this.#newer = new Generation();
  }

  /** Whether a lone call repeats one of these. */
  hasOriginalOf(call: CallPrint): boolean {
    return this.#newer.hasOriginalOf(call) || this.#older.hasOriginalOf(call);
  }
}

/** Prints by what a copy has in common with its original; put in order only when somebody asks, which is seldom. */
class Generation {
  readonly #prints = new PrintRows();
  #indexed = 0;
  /** Rows of prints. */
  readonly #byResponse = new SetIndex<string, number>();
  readonly #byOutput = new SetIndex<number | undefined, number>();

  get size(): number {
    return this.#prints.size;
  }

  add(print: CallPrint): void {
    this.#prints.add(print);
  }

  hasOriginalOf(call: CallPrint): boolean {
    if (this.#prints.areAllOf(call.scope)) return false;
    this.#index();
    const { responseId, output } = call;
    if (responseId !== undefined && this.#holds(this.#byResponse.get(responseId), call)) return true;
    if (output === undefined) return false;
    return this.#holds(this.#byOutput.get(output), call) || this.#holds(this.#byOutput.get(undefined), call);
  }

  #index(): void {
    for (; this.#indexed < this.#prints.size; this.#indexed++) {
      const { output, responseId } = this.#prints.at(this.#indexed);
      this.#byOutput.add(output, this.#indexed);
      if (responseId !== undefined) this.#byResponse.add(responseId, this.#indexed);
    }
  }

  #holds(rows: Iterable<number>, call: CallPrint): boolean {
    for (const row of rows) if (isCopy(call, this.#prints.at(row))) return true;
    return false;
  }
}
