/** A general rule by which one place in the telemetry takes precedence over another. */
export interface Precedence {
  /** Number of the rule, 1 to 7. */
  readonly number: number;
  readonly sentence: string;
}

/** A place in the telemetry that contains a value. */
export interface Source {
  readonly spanId: string;
  readonly traceId: string;
  readonly span: string;
  /**
   * Attribute key; null for the span's name, several attributes together, or messages in events or log
   * records.
   */
  readonly attribute: string | null;
  /** Dialect whose adapter names the attribute; null if its meaning was inferred. */
  readonly dialect: string | null;
  /** Value at this place, shortened. */
  readonly value: string;
}

/** A source that was read but not used. */
export interface PassedOver extends Source {
  readonly why: string;
  /** Rule that gave another source precedence; null if no rule decided. */
  readonly precedence: Precedence | null;
}

export interface Explanation {
  /** Name of the fact as in `inspect --format json`: `query`, `tools[0].result`, … */
  readonly fact: string;
  readonly value: string | null;
  readonly from: readonly Source[];
  readonly passedOver: readonly PassedOver[];
  /** How the value was derived; null if the source already explains the value. */
  readonly note: string | null;
  /** Rule that decided between contradicting sources; null if none was needed. */
  readonly precedence: Precedence | null;
}
