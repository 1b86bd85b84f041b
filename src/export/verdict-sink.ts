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
 * @param callback creates one function for each queue, which calls it when the record is delivered, stored or dropped
 */
export type Offer = (callback: () => () => void) => void;

export interface VerdictSink extends Pick<DeliveryQueue, "isBehind" | "flush" | "close"> {
  /**
   * Encodes the records of a verdict for this output; returns undefined if the output sends none. The result contains only bytes, because a
   * verdict would retain the request bodies of its run.
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
