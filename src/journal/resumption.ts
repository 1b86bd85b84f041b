import type { Judgement } from "./records/record-kinds.ts";

/**
 * Verdicts of a run that another process recorded. `delivered` is null if the delivery of the verdicts was
 * not recorded.
 */
export interface PersistedVerdict extends Judgement {
  readonly delivered: object | null;
}

/** Verdicts that an earlier process recorded for a run that was now read again. */
export interface Resumed {
  /**
   * Whether no spans were added and all destinations have received the verdicts. The run then needs no
   * further work.
   */
  readonly isSettled: boolean;
  /** Last published revision of each verdict, by verdict id. */
  readonly given: ReadonlyMap<string, number>;
  /** Verdicts that the verdict file already contains. */
  readonly inFile: ReadonlySet<string>;
  /** Verdicts for the same spans that may already have been sent. */
  readonly maybeSent: ReadonlySet<string>;
}

/** Returns the id and the revision of a verdict as one key. */
export function verdictKey(verdictId: string, revision: number): string {
  return `${verdictId} ${revision}`;
}

/**
 * Verdicts of runs that earlier processes recorded; the last record of a run applies. A run with unchanged
 * spans is not judged again. A run with additional spans gets the next revision. A verdict that may not have
 * been sent is sent again with the same revision.
 */
export class Resumption {
  readonly #last = new Map<string, PersistedVerdict>();
  readonly #given = new Map<string, Map<string, number>>();
  readonly #inFile: ReadonlySet<string>;

  /** @param inFile keys of the verdicts that the verdict file contains */
  constructor(judgements: readonly PersistedVerdict[], inFile: ReadonlySet<string>) {
    this.#inFile = inFile;
    for (const judgement of judgements) {
      this.#last.set(judgement.runId, judgement);
      const given = this.#given.get(judgement.runId) ?? new Map<string, number>();
      for (const { verdictId, revision } of judgement.verdicts) given.set(verdictId, revision);
      this.#given.set(judgement.runId, given);
    }
  }

  /** Returns the recorded verdicts of a run once; null if none are recorded, or at a second call. */
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
