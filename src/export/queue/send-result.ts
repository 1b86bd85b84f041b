import { LONGEST_RETRY_AFTER_MS } from "./backend-down.ts";

/**
 * Result of one request. `delivered`: accepted. `rejected`: refused permanently. `retry`: not delivered, and
 * may be sent again.
 */
export type SendResult =
  | {
      readonly outcome: "delivered";
      /** Number of records or items that the backend rejected. The rejected records are not sent again. */
      readonly rejected?: number;
      /** The backend's message about rejected records. */
      readonly message?: string;
      /**
       * Records of the request that the backend cannot accept yet. The records are sent again after
       * `postponeMs`.
       */
      readonly postponed?: readonly Uint8Array[];
    }
  | { readonly outcome: "rejected"; readonly error: string }
  | {
      readonly outcome: "retry";
      readonly error: string;
      /**
       * Delay in milliseconds that the backend requests; 0: an immediate retry; null: the backend requests
       * no delay.
       */
      readonly retryAfterMs: number | null;
    };

/** Limits a requested delay to `LONGEST_RETRY_AFTER_MS`; null stays null. */
export function boundedWait(waitMs: number | null): number | null {
  return waitMs === null ? null : Math.min(waitMs, LONGEST_RETRY_AFTER_MS);
}
