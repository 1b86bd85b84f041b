import type { Judgement } from "./records/record-kinds.ts";

/** A judgement that another process wrote down; `delivered` is null when it is not known that everybody had got its verdicts. */
export interface PersistedVerdict extends Judgement {
  readonly delivered: object | null;
}

/** The recorded verdicts of an earlier process about a run that was assembled again. */
export interface Resumed {
  /** Nothing new has come, and everybody has got the verdicts: there is nothing to do. */
  readonly isSettled: boolean;
  /** By verdict id, the revision that counts as given. */
  readonly given: ReadonlyMap<string, number>;
  /** Verdicts that are in the file already. */
  readonly inFile: ReadonlySet<string>;
  /** Verdicts on this very evidence that may have been sent already, or not. */
  readonly maybeSent: ReadonlySet<string>;
}

/** A verdict and its revision, as one text. */
export function verdictKey(verdictId: string, revision: number): string {
  return `${verdictId} ${revision}`;
}

/**
 * Verdicts of an earlier process, by run. The last one counts: equal evidence is not judged twice, more evidence gives the next revision,
 * and a verdict that may not have been sent is judged and sent again with its number.
 */
export class Resumption {
  readonly #last = new Map<string, PersistedVerdict>();
  readonly #given = new Map<string, Map<string, number>>();
  readonly #inFile: ReadonlySet<string>;

  /** @param inFile keys of verdicts that the file of verdicts has */
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
