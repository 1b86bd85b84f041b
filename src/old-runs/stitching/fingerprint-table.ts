import { type CallFingerprint, isCopy } from "./call-fingerprint.ts";
import { FingerprintRows } from "./fingerprint-rows.ts";
import { RowsByTime } from "./rows-by-time.ts";

/** Fingerprints of emitted runs' calls; the oldest are forgotten first. */
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

/** Fingerprints by what a copy has in common with its original; indexed only when one is searched, which is rare. */
class Generation {
  readonly #fingerprints = new FingerprintRows();
  #indexed = 0;
  /** The scope of the first call with a response id; null where calls of several scopes have it. */
  readonly #scopeOfResponse = new Map<string, string | null>();
  /** By the count of output tokens; undefined where none was reported. */
  readonly #byOutput = new Map<number | undefined, RowsByTime>();

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
    if (responseId !== undefined) {
      const scope = this.#scopeOfResponse.get(responseId);
      if (scope !== undefined && scope !== call.scope) return true;
    }
    return output !== undefined && (this.#holds(output, call) || this.#holds(undefined, call));
  }

  #index(): void {
    for (; this.#indexed < this.#fingerprints.size; this.#indexed++) {
      const { start, end, output, scope, responseId } = this.#fingerprints.at(this.#indexed);
      let rows = this.#byOutput.get(output);
      if (rows === undefined) this.#byOutput.set(output, (rows = new RowsByTime()));
      rows.add(this.#indexed, start, end);
      if (responseId === undefined) continue;
      const known = this.#scopeOfResponse.get(responseId);
      if (known !== scope) this.#scopeOfResponse.set(responseId, known === undefined ? scope : null);
    }
  }

  #holds(output: number | undefined, call: CallFingerprint): boolean {
    const isOriginal = (row: number): boolean => isCopy(call, this.#fingerprints.at(row));
    return this.#byOutput.get(output)?.some(call.start - 1, call.end + 1, isOriginal) === true;
  }
}
