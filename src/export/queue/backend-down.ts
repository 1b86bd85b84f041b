import type { Backoff } from "../../support/structures/backoff.ts";

/**
 * What happens to a verdict, or to a forwarded request, while its backend is down, with all limits. The rules apply to OTLP, webhooks,
 * scores, Kafka, the verdict file and the PostgreSQL store (`delivery-queue.ts`). Where `forward` (`forward/backend/backend-queue.ts`)
 * differs, the rule says so. Each destination has its own queue; an OTLP backend has two, for logs and for traces. Receiving and judging do
 * not wait for a backend that is down. While the queue of a slow backend that answers uses more than `behindAbove` of the queue's memory,
 * no trace is closed.
 *
 * 1. **Batch.** Records wait in memory (`memory-records.ts`) until a batch is full or old enough. One batch is sent at a time
 *    (`batch-queue.ts`). `forward` sends requests as they were received, several at a time.
 * 2. **Attempt.** A request ends after `timeout` at the latest. An attempt to send scores can consist of many requests. A permanently
 *    refused batch (`rejected` in `send-result.ts`) is dropped at once and counted. After a retryable failure (`retry`), the batch or
 *    request returns to the head of the queue. Retryable are: no connection, no response, 429, 502, 503 and 504. For webhooks and scores,
 *    408, 425 and other 5xx are retryable too (`http-transport.ts`).
 * 3. **Backoff.** The next attempt waits for `retryBackoff`, or for the backend's `Retry-After` if that is longer (in `forward`,
 *    `Retry-After` replaces the backoff). While the backend is down, the number of attempts is not limited. A score is dropped, and counted
 *    as `partial_success`, if the backend has no trace for it until `wait` is over. A batch of an HTTP output that fails `movesAfter` times
 *    moves to the end of the queue, so that other batches are tried. If another batch succeeds and this batch then fails again, this batch
 *    is at fault, and is split (`disk-records.ts`). A single record that is at fault for `maxElapsed` (scores: `wait`) is dropped.
 *    `forward` drops a request that is at fault for `max_elapsed` (`failed-attempts.ts`).
 * 4. **Breaker** (`breaker.ts`). For verdicts, one failure opens the breaker; the next request that the backend accepts or permanently
 *    refuses closes the breaker. For `forward`, each failure halves the number of concurrent requests. `breakerLimits` and
 *    `breakerOpensAfter` define when the breaker opens. While it is open, one request at a time is sent.
 * 5. **Disk queue** (`disk-queue.ts`, in `data_dir/export` and `data_dir/forward`). After a failure, or above `toDiskAbove` of the memory,
 *    waiting records move to disk, up to the configured size `queue` minus a few MiB. While the breaker is open, new records move to disk
 *    as soon as they fill a batch or the batch is old enough. Records on disk count as delivered for the journal. They are sent oldest
 *    first, also by the next process (`open-disk-queues.ts`), whose backoff and breaker begin anew. `forward` writes to disk, or references
 *    the journal, before the sender gets its response. With `journal.durability: memory` there is no disk queue.
 * 6. **Stop** (`collector/stopping.ts`). Records in memory are sent or move to disk, within a share of `stop_timeout`.
 * 7. **Dropped and counted** (`onDropped`): `queue_full`: a verdict arrives while the queues on disk and in memory are full. `rejected`:
 *    the backend refuses a verdict permanently. `partial_success`: an OTLP backend refuses a verdict in a partial success, or a backend of
 *    scores refuses a score. `unreadable`: a block on disk cannot be read. `expired`: a record failed for `maxElapsed` while others
 *    succeeded. `closed`: a record is still only in memory when the process ends. Verdicts that are dropped for these reasons are recorded
 *    as delivered, except `closed` ones (`collector/evaluation/verdict-delivery.ts`, `journal/delivery-ledger.ts`). The next process finds
 *    `closed` verdicts in the journal, judges their runs again, and sends them under the same ids (`journal/resumption.ts`). When a queue
 *    of `forward` is full, new requests get 503 or UNAVAILABLE, so that senders retry them.
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
  /** The setting `timeout` of OTLP, webhooks, scores and `forward`: maximum time of one attempt. */
  attemptTimeout: "10s",
  /** `export.kafka.timeout`: maximum wait for the brokers' acknowledgement. */
  kafkaTimeout: "30s",
  /** `export.queue`: disk space of one queue of verdicts. */
  verdictQueue: "256MiB",
  /** `forward[].queue`: disk space for one backend. */
  forwardQueue: "1GiB",
  /** `forward[].max_elapsed`: time after which a failing request is dropped, if other requests succeed in this time. */
  forwardMaxElapsed: "5m",
  /** `export.scores[].wait`: maximum time that a score waits until the backend has its trace. */
  traceWait: "10m",
} as const;

/**
 * A breaker opens after `breakerOpensAfter` consecutive failures, or earlier: after `fewestFailures` consecutive failures, if no request
 * has succeeded for `noSuccessMs`.
 */
export const breakerLimits = {
  /** Number of consecutive failures that open the breaker after `noSuccessMs` without a success. */
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
   * `splitsAfter`: number of failures after which a batch is split even though no other batch has succeeded. `mostSplits`: maximum number
   * of such splits until a request succeeds; eight splits reduce a full batch to one record.
   */
  splitsAfter: 5,
  mostSplits: 8,
  /**
   * Minimum number of failures that count against a record or request before it is dropped. A failure counts if the backend accepted
   * another request since the failure before.
   */
  fewestCounted: 5,
  /** Milliseconds from the first failure that counts until a record for OTLP or a webhook is dropped. */
  maxElapsedMs: 5 * 60_000,
} as const;

/** Default limits of a queue of verdicts. Some outputs set other delays, batch sizes or memory limits. */
export const verdictQueueLimits = {
  /** Memory of one destination's queue in bytes, in addition to its disk space. */
  maxQueueBytes: 16 * 1024 * 1024,
  maxBatchBytes: 1024 * 1024,
  maxBatchRecords: 1024,
  /** Maximum milliseconds that a record waits for its batch to fill. Also the pause in milliseconds after a failed disk write. */
  maxDelayMs: 1_000,
  /** Milliseconds after which a record is sent again that the backend cannot accept yet, such as a score without its trace. */
  postponeMs: 5_000,
  /** Records move to disk above this share of the queue's memory, even if the backend accepts requests. */
  toDiskAbove: 1 / 4,
  /** No trace is closed while the queue uses more than this share of its memory, and the backend accepts requests. */
  behindAbove: 1 / 2,
  requestsAtOnce: 1,
  breakerOpensAfter: 1,
} as const;

/** Maximum number of verdicts in one batch of scores. */
export const SCORES_BATCH_RECORDS = 100;
/** Maximum size of one write to the verdict file, in bytes. */
export const FILE_BATCH_BYTES = 2 * 1024 * 1024;

/**
 * Limits of the queue of runs for the PostgreSQL store. The records are larger than those of other queues. The delay is shorter, because
 * users of the web page wait for stored runs.
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
   * Number of consecutive failures that open the breaker. If a backend randomly fails 40 % of all requests, ten failures in a row occur
   * only about once in ten thousand requests.
   */
  breakerOpensAfter: 10,
  /** Maximum number of waiting requests. Each waiting request needs some memory, even if its body is on disk. */
  mostWaiting: 200_000,
  /** Maximum number of failed requests that wait for their next attempt. While this many failed requests wait, no other request is sent. */
  mostDelayed: 256,
  /**
   * If the backend requests a delay, the next attempt of the request waits at least this long. The minimum grows with each attempt, from
   * `shortestWaitMs` to `longestShortWaitMs` milliseconds.
   */
  shortestWaitMs: 5,
  longestShortWaitMs: 1_000,
  /**
   * If the waiting requests use more than `pacedBytes` of memory, accepting a request waits up to `longestPaceMs`. Bodies that are
   * forwarded soon are cheaper to garbage-collect than bodies that stay in memory.
   */
  pacedBytes: 4 << 20,
  longestPaceMs: 100,
  /**
   * If accepting a request waited for memory, no request was delivered meanwhile, and requests are stored on disk, further requests are
   * accepted without a wait for this many milliseconds.
   */
  unpacedMs: 5_000,
  /**
   * Maximum memory in bytes for requests that are also on disk. A request that is also in memory need not be read from disk when it is
   * sent.
   */
  besideDiskBytes: 8 << 20,
  /** Maximum memory in bytes for requests without a disk queue. */
  inMemoryBytes: 64 << 20,
  /** Maximum size of the requests in the journal that wait for one backend: in bytes, and as a share of the journal's maximum size. */
  journalBytes: 32 << 20,
  journalShare: 1 / 8,
} as const;
