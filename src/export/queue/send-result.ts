import { LONGEST_RETRY_AFTER_MS } from "./backend-down.ts";

/** Outcome of one request. `retry`: not delivered, retryable. `rejected`: permanently refused. */
export type SendResult =
  | {
      readonly outcome: "delivered";
      /** Records or items that the backend left out; they are not sent again. */
      readonly rejected?: number;
      /** The backend's message about rejected records. */
      readonly message?: string;
      /** Records that the backend cannot take yet, of those that were sent: they are sent again after `postponeMs`. */
      readonly postponed?: readonly Uint8Array[];
    }
  | { readonly outcome: "rejected"; readonly error: string }
  | {
      readonly outcome: "retry";
      readonly error: string;
      /** Requested pause of the backend, 0 for an immediate retry; null if absent. */
      readonly retryAfterMs: number | null;
    };

/** Requested pause of a backend, limited to the maximum; null if absent. */
export function boundedWait(waitMs: number | null): number | null {
  return waitMs === null ? null : Math.min(waitMs, LONGEST_RETRY_AFTER_MS);
}
