import type { RecordedExchange } from "../../model/model-exchange.ts";

/** A run whose answers can be played back. */
export interface RecordedRun {
  readonly id: string;
  /** Query of the run. */
  readonly query: string;
  readonly exchanges: readonly RecordedExchange[];
}
