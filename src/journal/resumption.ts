import type { Judgement } from "./records/record-kinds.ts";

/** Verdicts of a run that another process recorded. `delivered` is null if no record shows that they were delivered. */
export interface PersistedVerdict extends Judgement {
  readonly delivered: object | null;
}

/** Recorded verdicts of a run that is read again after a restart. */
export interface Resumed {
  /** Whether the run has no new spans, and all destinations have received its verdicts. No work on the run remains then. */
  readonly isSettled: boolean;
  /** Last published revision of each verdict, by verdict id. */
  readonly given: ReadonlyMap<string, number>;
  /** Keys of the verdicts that the verdict file already contains. */
  readonly inFile: ReadonlySet<string>;
  /** Keys of verdicts about the same spans that may already have been sent. */
  readonly maybeSent: ReadonlySet<string>;
}

/** Returns id and revision of a verdict as one text. */
export function verdictKey(verdictId: string, revision: number): string {
  return `${verdictId} ${revision}`;
}

/**
 * Verdicts that earlier processes recorded; the last record of a run counts.
 * - A run without new spans is not judged again if its verdicts were delivered. If they were not, it is judged and sent again as the same
 * revision.
 * - A run with new spans gets the next revision if its recorded verdict was delivered or is in the verdict file; otherwise the same
 * revision.
 */
export class Resumption {
  readonly #last = new Map<string, PersistedVerdict>();
  readonly #given = new Map<string, Map<string, number>>();
  readonly #inFile: ReadonlySet<string>;

  /** @param inFile keys of the verdicts in the verdict file */
  constructor(judgements: readonly PersistedVerdict[], inFile: ReadonlySet<string>) {
    this.#inFile = inFile;
    for (const judgement of judgements) {
      this.#last.set(judgement.runId, judgement);
      const given = this.#given.get(judgement.runId) ?? new Map<string, number>();
      for (const { verdictId, revision } of judgement.verdicts) given.set(verdictId, revision);
      this.#given.set(judgement.runId, given);
    }
  }

  /** Returns the recorded verdicts of a run; null if there are none. Any further call for the same run also returns null. */
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
