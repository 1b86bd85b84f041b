import type { Batch } from "../../otlp/rows/batch.ts";
import { decodeRequest } from "../body/decode-request.ts";
import type { Accept, Acceptance, ReceivedRequest, Refusal } from "../ports.ts";

/** Counts the accepted and the rejected spans, log records or data points of an accepted request. */
export type OnItems = (request: ReceivedRequest, accepted: number, refused: number) => void;

/**
 * Accepts the decoded rows of a request. Returns undefined if the rows are accepted at once. Otherwise returns a promise, and the sender
 * gets its response when the promise settles. The promise resolves to null if the rows are accepted, or to the refusal. No part of a
 * refused request may stay in memory.
 */
export type TakeBatch = (batch: Batch, request: ReceivedRequest) => undefined | Promise<Refusal | null>;

/**
 * Returns a handler that decodes each body and passes its rows to `take`. If a body cannot be decoded, it is rejected completely. If only a
 * span has invalid ids or values, only this span is rejected.
 */
export function intakeBatches(take: TakeBatch, onItems: OnItems): Accept {
  return (body, request) => {
    const decoded = decodeRequest(body, request.signal, request.encoding);
    if (!decoded.ok) return { kind: "malformed", message: `${decoded.message} (at byte ${decoded.offset})` };
    const { batch } = decoded;
    if (batch === null) {
      onItems(request, decoded.dataPoints, 0);
      return { kind: "accepted", rejected: 0, message: "" };
    }
    const { count, reason } = batch.rejected;
    const settle = (refusal: Refusal | null | undefined): Acceptance => {
      if (refusal) return refusal;
      onItems(request, batch.spanCount + batch.logCount, count);
      return { kind: "accepted", rejected: count, message: reason };
    };
    const taken = batch.spanCount + batch.logCount > 0 ? take(batch, request) : undefined;
    return taken instanceof Promise ? taken.then(settle) : settle(taken);
  };
}
