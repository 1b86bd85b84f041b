import { LONGEST_RETRY_AFTER_MS } from "./backend-down.ts";

/** What became of one request. `retry`: not delivered, and worth another try. `rejected`: never will be. */
export type SendResult =
  | {
      readonly outcome: "delivered";
      /** Records or items that the backend left out; they are not sent again. */
      readonly rejected?: number;
      /** What the backend said about those. */
      readonly message?: string;
      /** Records that the backend cannot take yet, of those that were sent: they are sent again after `postponeMs`. */
      readonly postponed?: readonly Uint8Array[];
    }
  | { readonly outcome: "rejected"; readonly error: string }
  | {
      readonly outcome: "retry";
      readonly error: string;
      /** The shortest wait that the backend asks for, 0 for another try at once; null where it does not say. */
      readonly retryAfterMs: number | null;
    };

/** The wait that a backend asks for, as far as it is followed; null where it asks for none. */
export function boundedWait(waitMs: number | null): number | null {
  return waitMs === null ? null : Math.min(waitMs, LONGEST_RETRY_AFTER_MS);
}
