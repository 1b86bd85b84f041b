import type { Verdict } from "../model/verdict.ts";
import type { DeliveryQueue } from "./queue/delivery-queue.ts";

/** What is known about earlier deliveries of a verdict. */
export interface Publishing {
  /** Whether the verdict file already contains the verdict. */
  readonly isInFile: boolean;
  /** Whether an earlier process may already have sent the verdict. */
  readonly maybeSent: boolean;
}

/**
 * Adds encoded records to the queues of an output.
 * @param callback called once for each queue; the queue calls the returned function when the record is delivered, stored on disk or dropped
 */
export type Offer = (callback: () => () => void) => void;

export interface VerdictSink extends Pick<DeliveryQueue, "isBehind" | "flush" | "close"> {
  /**
   * Encodes the records of a verdict for this output; returns undefined if the output sends none. The result must not reference the
   * verdict, which would retain the request bodies of its run in memory.
   */
  prepare(verdict: Verdict, publishing: Publishing): Offer | undefined;
}

/** Creates an output with one queue. Each verdict is one record. */
export function queueSink(
  queue: DeliveryQueue,
  recordOf: (verdict: Verdict, publishing: Publishing) => Uint8Array | undefined,
): VerdictSink {
  return {
    isBehind: queue.isBehind,
    flush: queue.flush,
    close: queue.close,
    prepare: (verdict, publishing) => {
      const record = recordOf(verdict, publishing);
      return record && ((callback) => queue.offer([record], callback()));
    },
  };
}
