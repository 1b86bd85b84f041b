import type { Batch } from "../otlp/batch.ts";
import { decodeRequest } from "./decode-request.ts";
import type { Accept, ReceivedRequest } from "./ports.ts";

/** Told how many spans, log records or data points of a request were taken, and how many left out. */
export type OnItems = (request: ReceivedRequest, accepted: number, refused: number) => void;

/**
 * The receiver's way into the pipeline: decodes each body and hands its rows on. A body that cannot be read is refused whole; spans with
 * bad ids or values are refused by themselves.
 */
export function intakeBatches(take: (batch: Batch) => void, onItems: OnItems): Accept {
  return (body, request) => {
    const decoded = decodeRequest(body, request.signal, request.encoding);
    if (!decoded.ok) return { kind: "malformed", message: `${decoded.message} (at byte ${decoded.offset})` };
    const { batch } = decoded;
    if (batch === null) {
      onItems(request, decoded.dataPoints, 0);
      return { kind: "accepted", rejected: 0, message: "" };
    }
    const { count, reason } = batch.rejected;
    onItems(request, batch.spanCount + batch.logCount, count);
    if (batch.spanCount + batch.logCount > 0) take(batch);
    return { kind: "accepted", rejected: count, message: reason };
  };
}
