/** A general rule by which the reader believes one place in the telemetry before another. */
export interface Precedence {
  /** 1 to 7. */
  readonly number: number;
  readonly sentence: string;
}

/** One place in the telemetry that shows something. */
export interface Source {
  readonly spanId: string;
  readonly traceId: string;
  /** The span's name. */
  readonly span: string;
  /** Null: the span's name, or several attributes together, or messages that came as events or log records. */
  readonly attribute: string | null;
  /** The dialect whose adapter names the attribute; null where it was found by its looks. */
  readonly dialect: string | null;
  /** Value of the source, shortened. */
  readonly value: string;
}

/** A source that was read and not used. */
export interface PassedOver extends Source {
  readonly why: string;
  /** The rule by which another source is believed; null where no such rule decided. */
  readonly precedence: Precedence | null;
}

export interface Explanation {
  /** As in `inspect --format json`: `query`, `tools[0].result`, … */
  readonly fact: string;
  readonly value: string | null;
  readonly from: readonly Source[];
  readonly passedOver: readonly PassedOver[];
  /** How the value came about, where naming the source is not enough. */
  readonly note: string | null;
  /** The rule that decided between contradicting places; null if none was needed. */
  readonly precedence: Precedence | null;
}
