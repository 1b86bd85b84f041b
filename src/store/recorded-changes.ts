/** A level change of one measure of one query. A change has one record, even if several processes find it. */
export interface ChangeRecord {
  readonly changeId: string;
  readonly spec: string;
  readonly queryId: string;
  readonly measure: string;
  readonly direction: string;
  /** Number of the change among the recorded changes of this measure. */
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
  /** Earliest time at which a change may have happened; Unix milliseconds. */
  readonly since?: number;
}

/** Store of level changes that any process with this store has found. */
export interface ChangeRecords {
  /**
   * Claims the next examination of a query's trend. An examination is due if the last one started at least
   * `everyMs` ago.
   * @returns time of the query's first examination; undefined if no examination is due
   */
  claimLook(
    query: { readonly spec: string; readonly query: string },
    everyMs: number,
    nowUnixMs: number,
  ): Promise<number | undefined>;
  /**
   * Records a change. Returns false if a change with this number is already recorded.
   * @param sentUnixMs time at which the notification was sent; null if the notification has yet to be sent
   */
  addChange(change: ChangeRecord, sentUnixMs: number | null): Promise<boolean>;
  /** Returns changes, latest first. */
  changes(filter: ChangeFilter, limit: number): Promise<readonly ChangeRecord[]>;
  /**
   * Claims changes whose notification was not sent, because the recording process ended. A change can be
   * claimed if its last claim is older than `graceMs`.
   * @param beingSent ids of changes that this process is sending; the claims of these changes are renewed
   */
  claimUnsent(
    beingSent: readonly string[],
    graceMs: number,
    nowUnixMs: number,
  ): Promise<readonly ChangeRecord[]>;
  markSent(changeId: string, nowUnixMs: number): Promise<void>;
}
