import type { Backoff } from "../../support/structures/backoff.ts";

/**
 * What happens to a verdict, or to a forwarded request, while its backend is down, with all limits. The rules apply to OTLP, webhooks,
 * scores, Kafka, the verdict file and the PostgreSQL store (`delivery-queue.ts`). A rule that differs for `forward`
 * (`forward/backend/backend-queue.ts`) names the difference. Each destination has its own queue; an OTLP backend has two, for logs and for
 * traces. Receiving and judging do not wait for a backend that is down. If a backend is slow but answers, no trace is closed while its
 * queue uses more than `behindAbove` of its memory.
 *
 * 1. **Batch.** Records wait in memory (`memory-records.ts`) until a batch is full or old enough. One batch is sent at a time
 *    (`batch-queue.ts`). `forward` sends requests as they were received, several at a time.
 * 2. **Attempt.** A request ends after `timeout` at the latest; an attempt of scores can be many requests. A permanent refusal (`rejected`
 *    in `send-result.ts`) is dropped at once and counted. After a retryable failure (`retry`), the batch or request returns to the head of
 *    the queue. Retryable are: no connection, no response, 429, 502, 503 and 504. For webhooks and scores, 408, 425 and other 5xx are
 *    retryable too (`http-transport.ts`).
 * 3. **Backoff.** The next attempt waits for `retryBackoff`, or for the backend's `Retry-After` if that is longer (in `forward`,
 *    `Retry-After` replaces the backoff). While the backend is down, the number of attempts is not limited. A score is dropped, and counted
 *    as `partial_success`, if the backend has no trace for it until `wait` is over. A batch of an HTTP output that fails `movesAfter` times
 *    moves to the end of the queue, so that others are tried. If one of the others succeeds and the batch fails again, the batch is at
 *    fault, and is split (`disk-records.ts`). A single record that is at fault for `maxElapsed` (scores: `wait`) is dropped. `forward`
 *    drops a request that is at fault for `max_elapsed` (`failed-attempts.ts`).
 * 4. **Breaker** (`breaker.ts`). For verdicts, one failure opens the breaker; a request that the backend accepts or permanently refuses
 *    closes it. For `forward`, each failure halves the number of concurrent requests, the breaker opens as `breakerLimits` and
 *    `breakerOpensAfter` define, and while it is open, one request at a time is sent.
 * 5. **Disk queue** (`disk-queue.ts`, in `data_dir/export` and `data_dir/forward`). After a failure, or above `toDiskAbove` of the memory,
 *    waiting records move to disk, up to the configured `queue` (some MiB of it stay free). While the breaker is open, later records follow
 *    when a batch is full or old enough. Records on disk count as delivered for the journal. They are sent oldest first, also by the next
 *    process (`open-disk-queues.ts`), whose backoff and breaker begin anew. `forward` writes to disk, or references the journal, before the
 *    sender gets its response. With `journal.durability: memory` there is no disk queue.
 * 6. **Stop** (`collector/stopping.ts`). Records in memory are sent or move to disk, within a share of `stop_timeout`.
 * 7. **Dropped and counted** (`onDropped`): `queue_full`: a verdict arrives while the queues on disk and in memory are full. `rejected`:
 *    the backend refuses a verdict permanently. `partial_success`: an OTLP backend refuses it in a partial success, or a backend of scores
 *    refuses a score. `unreadable`: a block on disk cannot be read. `expired`: a record failed for `maxElapsed` while others succeeded.
 *    `closed`: a record is still only in memory when the process ends. Only `closed` verdicts are not recorded as delivered
 *    (`collector/evaluation/verdict-delivery.ts`, `journal/delivery-ledger.ts`); the next process finds them in the journal, judges them
 *    again, and sends them under the same ids (`journal/resumption.ts`). When a queue of `forward` is full, new requests get 503 or
 *    UNAVAILABLE, so that senders retry them.
 */
export const retryBackoff: Backoff = {
  firstMs: 1_000,
  longestMs: 30_000,
  factor: 1.5,
  spread: [0.5, 1.5],
};

/** Maximum delay in milliseconds that a backend can request with `Retry-After` or RetryInfo. */
export const LONGEST_RETRY_AFTER_MS = 10 * 60_000;

/** Default values of configuration keys, as texts in the configuration. */
export const configuredDefaults = {
  /** `timeout` of one attempt, for OTLP, webhooks, scores and `forward`. */
  attemptTimeout: "10s",
  /** `export.kafka.timeout`: maximum wait for the brokers' acknowledgement. */
  kafkaTimeout: "30s",
  /** `export.queue`: disk space of one queue of verdicts. */
  verdictQueue: "256MiB",
  /** `forward[].queue`: disk space for one backend. */
  forwardQueue: "1GiB",
  /**
   * `forward[].max_elapsed`: a request that fails for this long is dropped, if other requests succeed in
   * this time.
   */
  forwardMaxElapsed: "5m",
  /** `export.scores[].wait`: maximum time that a score waits until the backend has its trace. */
  traceWait: "10m",
} as const;

/** A breaker opens after a number of consecutive failures (`breakerOpensAfter`), or earlier if both of these limits are reached. */
export const breakerLimits = {
  /** Number of consecutive failures that opens the breaker after `noSuccessMs` without a success. */
  fewestFailures: 3,
  /** Milliseconds since the last success after which `fewestFailures` failures open the breaker. */
  noSuccessMs: 5_000,
  /** Minimum number of concurrent requests while the breaker is closed: two, so that a retry does not block other requests. */
  fewestAtOnce: 2,
} as const;

/** What happens to a batch that fails again and again (`disk-records.ts`, `failed-attempts.ts`). */
export const failedBatchLimits = {
  /** Number of failures after which a batch moves to the end of the queue. */
  movesAfter: 3,
  /**
   * Number of failures after which a batch may be split even if no other batch has succeeded, and maximum number of such splits until one
   * succeeds. Eight splits make a batch of one record.
   */
  splitsAfter: 5,
  mostSplits: 8,
  /** Minimum number of failures between which the backend accepted others, before a record or request is dropped. */
  fewestCounted: 5,
  /** Time in milliseconds for which a record of OTLP or a webhook must fail in this way before it is dropped. */
  maxElapsedMs: 5 * 60_000,
} as const;

/** Default limits of a queue of verdicts. Some outputs set other delays, batch sizes or memory limits. */
export const verdictQueueLimits = {
  /** Memory of one destination's queue in bytes, in addition to its disk space. */
  maxQueueBytes: 16 * 1024 * 1024,
  maxBatchBytes: 1024 * 1024,
  maxBatchRecords: 1024,
  /** Maximum milliseconds that a record waits for its batch to fill, and pause after a failed disk write. */
  maxDelayMs: 1_000,
  /** Milliseconds after which a record is sent again that the backend cannot accept yet, such as a score without its trace. */
  postponeMs: 5_000,
  /** Records move to disk above this share of the queue's memory, even if the backend accepts requests. */
  toDiskAbove: 1 / 4,
  /** Producers should pause above this share of the queue's memory. */
  behindAbove: 1 / 2,
  requestsAtOnce: 1,
  breakerOpensAfter: 1,
} as const;

/** Maximum number of verdicts in one batch of scores. */
export const SCORES_BATCH_RECORDS = 100;
/** Maximum size of one write to the verdict file, in bytes. */
export const FILE_BATCH_BYTES = 2 * 1024 * 1024;

/**
 * Limits of the queue of runs for the PostgreSQL store. Records are larger than in other queues, and the delay is shorter, because users of
 * the web page wait for stored runs.
 */
export const storeQueueLimits = {
  maxDelayMs: 100,
  maxBatchRecords: 200,
  maxBatchBytes: 4 * 1024 * 1024,
  maxQueueBytes: 64 * 1024 * 1024,
} as const;

export const forwardQueueLimits = {
  requestsAtOnce: 4,
  /**
   * Number of consecutive failures that opens the breaker. A backend that randomly fails two of five requests has ten failures in a row
   * about once in ten thousand requests.
   */
  breakerOpensAfter: 10,
  /** Maximum number of waiting requests. Each waiting request needs some memory, even if its body is on disk. */
  mostWaiting: 200_000,
  /** Maximum number of failed requests that wait for their next attempt. While this many requests wait, no other request is sent. */
  mostDelayed: 256,
  /**
   * First and longest value, in milliseconds, of the minimum wait before the next attempt if the backend requests a delay itself. The
   * minimum wait grows with each attempt of the request.
   */
  shortestWaitMs: 5,
  longestShortWaitMs: 1_000,
  /**
   * Above this memory in bytes, accepting a request waits briefly. Bodies that are forwarded soon are cheaper to garbage-collect than
   * bodies that stay in memory.
   */
  pacedBytes: 4 << 20,
  longestPaceMs: 100,
  /**
   * After a wait in which nothing was delivered although the requests are on disk, requests are accepted without waiting for this many
   * milliseconds.
   */
  unpacedMs: 5_000,
  /** Maximum memory in bytes for requests that are also on disk. A request in memory need not be read from disk when it is sent. */
  besideDiskBytes: 8 << 20,
  /** Maximum memory in bytes for requests without a disk queue. */
  inMemoryBytes: 64 << 20,
  /** Limits of the requests in the journal that wait for one backend: in bytes, and as a share of the journal. */
  journalBytes: 32 << 20,
  journalShare: 1 / 8,
} as const;
