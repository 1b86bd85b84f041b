import type { RecordedExchange } from "../../model/model-exchange.ts";

/** A run with the recorded answers for playing it back. */
export interface RecordedRun {
  readonly id: string;
  readonly query: string;
  readonly exchanges: readonly RecordedExchange[];
}
