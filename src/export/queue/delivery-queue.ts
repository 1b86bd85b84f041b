import type { ExportEvents, ExportRoute } from "../records/export-events.ts";
import { BatchQueue, type BatchQueueOptions } from "./batch-queue.ts";
import type { DiskQueue } from "./disk-queue.ts";
import type { SendResult } from "./send-result.ts";

/** Sends the encoded records of one output in the background. */
export interface DeliveryQueue {
  /**
   * Accepts records.
   * @param done called when each of the records was sent, stored on disk or dropped; not called if the process ends before this
   */
  readonly offer: (records: readonly Uint8Array[], done?: () => void) => void;
  /** Whether records arrive faster than the backend accepts them; false while the backend is down. */
  readonly isBehind: () => boolean;
  readonly flush: () => Promise<void>;
  readonly close: (timeoutMs: number) => Promise<void>;
}

export interface DeliveryQueueOptions {
  readonly route: ExportRoute;
  readonly send: (records: readonly Uint8Array[]) => Promise<SendResult>;
  readonly events: ExportEvents;
  readonly diskQueue?: DiskQueue | undefined;
  /** Closes the transport, after the last send. */
  readonly closeTransport?: () => void | Promise<void>;
  readonly limits?: Pick<
    BatchQueueOptions,
    "maxQueueBytes" | "maxBatchBytes" | "maxBatchRecords" | "maxDelayMs" | "postponeMs" | "maxElapsedMs"
  >;
}

/** Creates a delivery queue that reports its events to `events`. */
export function createDeliveryQueue({
  route,
  send,
  events,
  diskQueue,
  limits = {},
  closeTransport,
}: DeliveryQueueOptions): DeliveryQueue {
  let isOpen = true;
  const queue = new BatchQueue({
    ...limits,
    diskQueue,
    send: async (records) => {
      const startUnixMs = Date.now();
      const result = await send(records);
      const error = result.outcome === "delivered" ? null : result.error;
      events.attempted?.({ ...route, records: records.length, startUnixMs, endUnixMs: Date.now(), error });
      if (result.outcome !== "delivered" && isOpen)
        events.failed({ ...route, outcome: result.outcome, error: result.error });
      return result;
    },
    onSent: (records) => events.sent({ ...route, records }),
    onDropped: (records, why, error) => events.dropped({ ...route, records, why, error }),
    onQueuedOnDisk: (records) => events.queuedOnDisk({ ...route, records }),
  });
  const left = diskQueue?.recovered.reduce((sum, { records }) => sum + records, 0) ?? 0;
  if (left > 0) events.recovered({ ...route, records: left });
  events.watchQueue(route, queue);
  return {
    offer: (records, done) => {
      if (records.length > 0) events.taken({ ...route, records: records.length });
      queue.offer(records, done);
    },
    isBehind: () => queue.isBehind,
    flush: () => queue.flush(),
    close: async (timeoutMs) => {
      await queue.close(timeoutMs);
      isOpen = false;
      await closeTransport?.();
    },
  };
}
