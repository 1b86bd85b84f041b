import type { RecordedExchange } from "../../model/model-exchange.ts";

/** A run whose answers can be played back. */
export interface RecordedRun {
  readonly id: string;
  /** What the agent was asked. */
  readonly query: string;
  readonly exchanges: readonly RecordedExchange[];
}
