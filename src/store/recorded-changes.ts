/** A detected change of one measure of one query, such as its pass rate. A change has one record, even if several processes find it. */
export interface ChangeRecord {
  readonly changeId: string;
  readonly spec: string;
  readonly queryId: string;
  readonly measure: string;
  readonly direction: string;
  /** Number of the change among the changes of this measure and query. */
  readonly number: number;
  readonly lowUnixMs: number;
  readonly highUnixMs: number;
  readonly foundUnixMs: number;
  /** The change in the JSON format of the API and of webhooks. */
  readonly json: string;
}

export interface ChangeFilter {
  readonly spec?: string;
  readonly query?: string;
  /** Selects changes that happened at or after this time, in Unix milliseconds. */
  readonly since?: number;
}

/** Store of the changes that were found by all processes that use it. */
export interface ChangeRecords {
  /**
   * Claims the examination of a query's trend for this process. An examination is due if there was none before, or if the last one began at
   * least `everyMs` ago.
   * @returns time of the query's first examination; undefined if none is due
   */
  claimLook(
    query: { readonly spec: string; readonly query: string },
    everyMs: number,
    nowUnixMs: number,
  ): Promise<number | undefined>;
  /**
   * Records a change. Returns false if a change with this number is already recorded.
   * @param sentUnixMs time at which the notification was sent; null if it must still be sent
   */
  addChange(change: ChangeRecord, sentUnixMs: number | null): Promise<boolean>;
  /** Returns at most `limit` changes, latest first. */
  changes(filter: ChangeFilter, limit: number): Promise<readonly ChangeRecord[]>;
  /**
   * Claims, for this process, changes whose notification was not sent, for example because the process that recorded them has ended. A
   * change can be claimed if its last claim is older than `graceMs`.
   * @param beingSent ids of changes that this process is sending; their claims are renewed
   */
  claimUnsent(
    beingSent: readonly string[],
    graceMs: number,
    nowUnixMs: number,
  ): Promise<readonly ChangeRecord[]>;
  markSent(changeId: string, nowUnixMs: number): Promise<void>;
}
