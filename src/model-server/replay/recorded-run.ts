import type { RecordedExchange } from "../../model/model-exchange.ts";

/** A run with recorded answers that can be replayed. */
export interface RecordedRun {
  readonly id: string;
  /** Query of the run. */
  readonly query: string;
  readonly exchanges: readonly RecordedExchange[];
}
