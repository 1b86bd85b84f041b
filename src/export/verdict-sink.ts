import type { Verdict } from "../model/verdict.ts";
import type { DeliveryQueue } from "./queue/delivery-queue.ts";

/** What is known of a verdict besides the verdict itself. */
export interface Publishing {
  /** It was written to the file before. */
  readonly isInFile: boolean;
  /** An earlier process may have sent it. */
  readonly maybeSent: boolean;
}

/** Puts encoded records into the queues of an output; `callback` makes the function that a queue calls when it is done with them. */
export type Offer = (callback: () => () => void) => void;

/** One kind of output of verdicts. */
export interface VerdictSink extends Pick<DeliveryQueue, "isBehind" | "flush" | "close"> {
  /**
   * Encodes what the output sends of a verdict; undefined where it sends nothing. The offer holds bytes only: the verdict would hold on to
   * the request bodies that its run came in.
   */
  prepare(verdict: Verdict, publishing: Publishing): Offer | undefined;
}

/** An output of one queue, with one record for each verdict that it sends. */
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
