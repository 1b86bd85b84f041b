import type { Judgement } from "./records/record-kinds.ts";

/**
 * A judgement that another process recorded. `delivered` is null if the delivery of its verdicts was not
 * recorded.
 */
export interface PersistedVerdict extends Judgement {
  readonly delivered: object | null;
}

/** Verdicts that an earlier process recorded for a run, which was now assembled again. */
export interface Resumed {
  /** Whether no spans were added and all destinations have the verdicts, so that nothing needs to be done. */
  readonly isSettled: boolean;
  /** Last published revision of each verdict, by verdict id. */
  readonly given: ReadonlyMap<string, number>;
  /** Verdicts that the verdict file already contains. */
  readonly inFile: ReadonlySet<string>;
  /** Verdicts on the same spans that may already have been sent. */
  readonly maybeSent: ReadonlySet<string>;
}

/** Returns a verdict id and revision as one key. */
export function verdictKey(verdictId: string, revision: number): string {
  return `${verdictId} ${revision}`;
}

/**
 * Recorded verdicts of earlier processes by run; the last record of a run applies. Unchanged spans are not
 * judged again, and additional spans give the next revision. A verdict that may not have been sent is judged
 * and sent again with its number.
 */
export class Resumption {
  readonly #last = new Map<string, PersistedVerdict>();
  readonly #given = new Map<string, Map<string, number>>();
  readonly #inFile: ReadonlySet<string>;

  /** @param inFile keys of verdicts that the verdict file contains */
  constructor(judgements: readonly PersistedVerdict[], inFile: ReadonlySet<string>) {
    this.#inFile = inFile;
    for (const judgement of judgements) {
      this.#last.set(judgement.runId, judgement);
      const given = this.#given.get(judgement.runId) ?? new Map<string, number>();
      for (const { verdictId, revision } of judgement.verdicts) given.set(verdictId, revision);
      this.#given.set(judgement.runId, given);
    }
  }

  /** Called once for each released run; null if no earlier verdict is known. */
  resume(runId: string, fingerprint: string): Resumed | null {
    const last = this.#last.get(runId);
    if (last === undefined) return null;
    const given = new Map(this.#given.get(runId));
    this.#last.delete(runId);
    this.#given.delete(runId);
    const isSame = last.fingerprint === fingerprint;
    const isSent = last.delivered !== null;
    const inFile = new Set<string>();
    const maybeSent = new Set<string>();
    for (const { verdictId, revision } of last.verdicts) {
      const isWritten = this.#inFile.has(verdictKey(verdictId, revision));
      if (isSent || (isWritten && !isSame)) continue;
      given.set(verdictId, revision - 1);
      if (isSame) maybeSent.add(verdictKey(verdictId, revision));
      if (isWritten) inFile.add(verdictKey(verdictId, revision));
    }
    return { isSettled: isSame && isSent, given, inFile, maybeSent };
  }
}
