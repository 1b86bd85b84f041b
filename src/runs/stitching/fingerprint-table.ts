import { type CallFingerprint, isCopy } from "./call-fingerprint.ts";
import { FingerprintRows } from "./fingerprint-rows.ts";
import { SetIndex } from "../index/set-index.ts";

/** Prints of released runs' calls; the oldest are forgotten first. */
export class FingerprintTable {
  readonly #limit: number;
  #newer = new Generation();
  #older = new Generation();

  /** At least the last `limit` fingerprints are kept, and at most twice as many. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  add(fingerprints: readonly CallFingerprint[]): void {
    for (const fingerprint of fingerprints) this.#newer.add(fingerprint);
    if (this.#newer.size < this.#limit) return;
    this.#older = this.#newer;
    this.#newer = new Generation();
  }

  /** Whether a lone call repeats one of these. */
  hasOriginalOf(call: CallFingerprint): boolean {
    return this.#newer.hasOriginalOf(call) || this.#older.hasOriginalOf(call);
  }
}

/** Prints by what a copy has in common with its original; put in order only when somebody asks, which is seldom. */
class Generation {
  readonly #fingerprints = new FingerprintRows();
  #indexed = 0;
  /** Rows of fingerprints. */
  readonly #byResponse = new SetIndex<string, number>();
  readonly #byOutput = new SetIndex<number | undefined, number>();

  get size(): number {
    return this.#fingerprints.size;
  }

  add(fingerprint: CallFingerprint): void {
    this.#fingerprints.add(fingerprint);
  }

  hasOriginalOf(call: CallFingerprint): boolean {
    if (this.#fingerprints.areAllOf(call.scope)) return false;
    this.#index();
    const { responseId, output } = call;
    if (responseId !== undefined && this.#holds(this.#byResponse.get(responseId), call)) return true;
    if (output === undefined) return false;
    return this.#holds(this.#byOutput.get(output), call) || this.#holds(this.#byOutput.get(undefined), call);
  }

  #index(): void {
    for (; this.#indexed < this.#fingerprints.size; this.#indexed++) {
      const { output, responseId } = this.#fingerprints.at(this.#indexed);
      this.#byOutput.add(output, this.#indexed);
      if (responseId !== undefined) this.#byResponse.add(responseId, this.#indexed);
    }
  }

  #holds(rows: Iterable<number>, call: CallFingerprint): boolean {
    for (const row of rows) if (isCopy(call, this.#fingerprints.at(row))) return true;
    return false;
  }
}
