import type { Backoff } from "../../support/structures/backoff.ts";

/**
 * What happens to a verdict, or to a request that is sent on, while its backend is down; and every number in it. It holds for OTLP, webhooks,
 * scores, Kafka, the file of verdicts and the store in PostgreSQL (`delivery-queue.ts`), and with the differences named here for `forward`
 * (`forward/backend/backend-queue.ts`). Each destination has a queue of its own; nothing that is received or judged waits for it.
 *
 * 1. **Batch.** Records wait in memory (`memory-records.ts`) until a batch is full or old enough. One batch is sent at a time (`batch-queue.ts`);
 *    `forward` sends requests as they came, several at a time.
 * 2. **Attempt.** It ends after `timeout` at the latest. A permanent refusal (`rejected` in `send-result.ts`) is dropped at once and counted. What may
 *    succeed later (`retry`) goes back to the head of the queue: no connection, no answer, 429, 502, 503 and 504; for webhooks and scores also
 *    408, 425 and other 5xx (`http-transport.ts`).
 * 3. **Backoff.** The next attempt waits for `retryBackoff`, or for the backend's `Retry-After` where that is longer. No number of attempts
 *    ends it. One time does: a score whose trace the backend lacks `wait` after the verdict is dropped as `rejected`. `forward` gives up a request that fails for `max_elapsed` while others get through.
 * 4. **Breaker** (`breaker.ts`). For verdicts one failure opens it: until an attempt succeeds, one request at a time probes the backend.
 *    `forward`, which sends received requests on, halves how many it sends at one time with each failure, and opens it as `breakerLimits` say.
 * 5. **Disk queue** (`disk-queue.ts`, in `data_dir/export` and `data_dir/forward`). After a failure what waits is moved to the disk, up to the
 *    configured `queue`, and sent from there, oldest first, also by the next process. `forward` writes to the disk, or relies on the journal, before
 *    the sender is answered; with `journal.durability: memory` it has no disk queue.
 * 6. **Dropped and counted** (`onDropped`): verdicts that come while the disk's queue and the memory's are full (`queue_full`), those refused
 *    (`rejected`), blocks that cannot be read any more (`unreadable`), and without a disk what is left at the end (`closed`). `forward` refuses
 *    new requests instead, with 503 and UNAVAILABLE, so that senders keep them.
 */
export const retryBackoff: Backoff = {
  firstMs: 1_000,
  longestMs: 30_000,
  factor: 1.5,
  spread: [0.5, 1.5],
};

/** Longest `Retry-After`, or RetryInfo, that is followed. */
export const LONGEST_RETRY_AFTER_MS = 10 * 60_000;

/** Defaults of the configuration, in its notation. */
export const configuredDefaults = {
  /** `timeout` of OTLP, webhooks, scores and `forward`: for one attempt. */
  attemptTimeout: "10s",
  /** `export.kafka.timeout`: for the brokers' acknowledgement. */
  kafkaTimeout: "30s",
  /** `export.queue`: disk space of one destination of verdicts. */
  verdictQueue: "256MiB",
  /** `forward[].queue`: disk space of one backend. */
  forwardQueue: "1GiB",
  /** `forward[].max_elapsed`. */
  forwardMaxElapsed: "5m",
  /** `export.scores[].wait`: how long a score waits for its trace to be in the backend. */
  traceWait: "10m",
} as const;

/** When a breaker opens, in addition to the queue's own number of failures in a row. */
export const breakerLimits = {
  /** This many failures in a row … */
  fewestFailures: 3,
  /** … and no success for so long. */
  noSuccessMs: 5_000,
  /** Requests at one time that failures leave while it is closed, so that retries do not wait for each other. */
  fewestAtOnce: 2,
} as const;

/** Queues of verdicts. A destination may have a longer delay or smaller batches of its own. */
export const verdictQueueLimits = {
  /** In memory, of one destination; the disk comes on top. */
  maxQueueBytes: 16 * 1024 * 1024,
  maxBatchBytes: 1024 * 1024,
  maxBatchRecords: 1024,
  /** How long a record waits for others, and the pause after a failed disk write. */
  maxDelayMs: 1_000,
  /** How long a record waits that the backend cannot accept yet, such as a score without its trace. */
  postponeMs: 5_000,
  /** Share of the memory above which records move to the disk although the backend takes them. */
  toDiskAbove: 1 / 4,
  /** Share of the memory above which producers should pause. */
  behindAbove: 1 / 2,
  requestsAtOnce: 1,
  breakerOpensAfter: 1,
} as const;

/** Verdicts in one batch of scores. */
export const SCORES_BATCH_RECORDS = 100;
/** One write to the file of verdicts. */
export const FILE_BATCH_BYTES = 2 * 1024 * 1024;

/** Queue of runs and verdicts for PostgreSQL: larger records, and shorter delays for users of the page. */
export const storeQueueLimits = {
  maxDelayMs: 100,
  maxBatchRecords: 200,
  maxBatchBytes: 4 * 1024 * 1024,
  maxQueueBytes: 64 * 1024 * 1024,
} as const;

/** Queues of `forward`. */
export const forwardQueueLimits = {
  requestsAtOnce: 4,
  /** Failures in a row: of a backend that refuses two of five, once in ten thousand. */
  breakerOpensAfter: 10,
  /** Requests that may wait, whatever their size: each takes a little memory. */
  mostWaiting: 200_000,
  /** Requests that wait for another try while others are sent for the first time. */
  mostDelayed: 256,
  /** First and longest additional wait for a request whose backend asks for a pause. It grows with repeated refusals. */
  shortestWaitMs: 5,
  longestShortWaitMs: 1_000,
  /** With more than this in memory the next request waits for a moment: bodies sent on while they are young cost the least to collect. */
  pacedBytes: 4 << 20,
  longestPaceMs: 100,
  /** Pause after a refused attempt if waiting records are safe on disk. */
  unpacedMs: 5_000,
  /** Bodies in memory beside the disk, so that sending them needs no reading. */
  besideDiskBytes: 8 << 20,
  /** Bodies in memory where there is no disk. */
  inMemoryBytes: 64 << 20,
  /** Bodies for which the journal's copy serves as the queue's, of one backend, and as a share of the journal. */
  journalBytes: 32 << 20,
  journalShare: 1 / 8,
} as const;
