/** A change of the level of one measure of one query, as it is recorded: once. */
export interface ChangeRecord {
  readonly changeId: string;
  readonly spec: string;
  readonly queryId: string;
  readonly measure: string;
  readonly direction: string;
  /** Unique number among the recorded changes of this measure. */
  readonly number: number;
  readonly lowUnixMs: number;
  readonly highUnixMs: number;
  readonly foundUnixMs: number;
  /** The change as the API and webhooks give it. */
  readonly json: string;
}

export interface ChangeFilter {
  readonly spec?: string;
  readonly query?: string;
  /** Changes that may have happened at or after; Unix milliseconds. */
  readonly since?: number;
}

/** Which changes were found, by any process that shares the store. */
export interface ChangeRecords {
  /**
   * Takes the next look at a query's trend, where the last one is at least `everyMs` ago.
   * @returns when the query was looked at for the first time; undefined where it is not due
   */
  claimLook(
    query: { readonly spec: string; readonly query: string },
    everyMs: number,
    nowUnixMs: number,
  ): Promise<number | undefined>;
  /**
   * False if a record with this number exists, because another process was faster.
   * @param sentUnixMs when a notification of it was sent; null while one has yet to be sent
   */
  addChange(change: ChangeRecord, sentUnixMs: number | null): Promise<boolean>;
  /** The latest first. */
  changes(filter: ChangeFilter, limit: number): Promise<readonly ChangeRecord[]>;
  /**
   * Takes the changes that a process recorded and did not send before it ended: claimed more than `graceMs` ago.
   * @param beingSent ids of changes that this process is sending
   */
  claimUnsent(
    beingSent: readonly string[],
    graceMs: number,
    nowUnixMs: number,
  ): Promise<readonly ChangeRecord[]>;
  markSent(changeId: string, nowUnixMs: number): Promise<void>;
}
