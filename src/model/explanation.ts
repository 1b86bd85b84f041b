/** A general rule that decides which of two contradicting sources in the telemetry is used. */
export interface Precedence {
  /** Number of the rule, 1 to 7. */
  readonly number: number;
  readonly sentence: string;
}

/** A place in the telemetry that contains a value of a fact, such as the query. */
export interface Source {
  readonly spanId: string;
  readonly traceId: string;
  readonly span: string;
  /**
   * Key of the attribute; null if the place is the span's name, several attributes together, or messages in
   * events or log records.
   */
  readonly attribute: string | null;
  /** Dialect whose adapter declares the attribute; null if no adapter declares it and its meaning was inferred. */
  readonly dialect: string | null;
  /** Value at this place, truncated for display. */
  readonly value: string;
}

export interface PassedOver extends Source {
  readonly why: string;
  /** Rule that preferred the other source; null if no rule decided. */
  readonly precedence: Precedence | null;
}

export interface Explanation {
  /** Name of the fact as in `inspect --format json`, such as `query` or `tools[0].result`. */
  readonly fact: string;
  readonly value: string | null;
  readonly from: readonly Source[];
  readonly passedOver: readonly PassedOver[];
  /** How the value was derived from the source, or why it is unknown; null if it is unchanged from the source. */
  readonly note: string | null;
  /** Rule that decided between contradicting sources; null if the sources agree. */
  readonly precedence: Precedence | null;
}
