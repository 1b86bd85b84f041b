import { LONGEST_RETRY_AFTER_MS } from "./backend-down.ts";

/** Result of one request. `retry`: not delivered and retryable. `rejected`: permanently refused. */
export type SendResult =
  | {
      readonly outcome: "delivered";
      /** Number of records or items that the backend rejected. Rejected records are not sent again. */
      readonly rejected?: number;
      /** The backend's message about rejected records. */
      readonly message?: string;
      /**
       * Sent records that the backend cannot accept yet. The postponed records are sent again after
       * `postponeMs`.
       */
      readonly postponed?: readonly Uint8Array[];
    }
  | { readonly outcome: "rejected"; readonly error: string }
  | {
      readonly outcome: "retry";
      readonly error: string;
      /** Delay in milliseconds that the backend requests, 0 for an immediate retry; null if absent. */
      readonly retryAfterMs: number | null;
    };

/** Limits the delay that a backend requests to the maximum; null if absent. */
export function boundedWait(waitMs: number | null): number | null {
  return waitMs === null ? null : Math.min(waitMs, LONGEST_RETRY_AFTER_MS);
}
