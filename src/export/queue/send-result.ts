import { messageOf } from "../../support/structures/error-message.ts";
import { LONGEST_RETRY_AFTER_MS } from "./backend-down.ts";

/**
 * Result of one attempt. `delivered`: accepted. `rejected`: permanently refused. `retry`: not delivered, or it is unknown whether it was
 * delivered; the records may be sent again.
 */
export type SendResult =
  | {
      readonly outcome: "delivered";
      /** Number of records or items that the backend rejected. Rejected records are not sent again. */
      readonly rejected?: number;
      /** The backend's message about the rejected records. */
      readonly message?: string;
      /** Records that the backend cannot accept yet. Postponed records are sent again after `postponeMs`. */
      readonly postponed?: readonly Uint8Array[];
    }
  | { readonly outcome: "rejected"; readonly error: string }
  | {
      readonly outcome: "retry";
      readonly error: string;
      /** Delay in milliseconds that the backend requested: 0 for an immediate retry, null if it requested none. */
      readonly retryAfterMs: number | null;
    };

/** Limits a requested delay to `LONGEST_RETRY_AFTER_MS`. Null stays null. */
export function boundedWait(waitMs: number | null): number | null {
  return waitMs === null ? null : Math.min(waitMs, LONGEST_RETRY_AFTER_MS);
}

/** Converts an exception of an attempt into a retryable result. Otherwise, an unexpected error of one request would end the process. */
export function failedAttempt(error: unknown): SendResult {
  return { outcome: "retry", error: messageOf(error), retryAfterMs: null };
}
