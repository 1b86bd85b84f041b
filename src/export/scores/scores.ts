import { NewestEntries } from "../../support/structures/newest-entries.ts";
import { messageOf } from "../../support/structures/error-message.ts";
import type { ExportEvents } from "../records/export-events.ts";
import { refuseOwnListener } from "../otlp/endpoint.ts";
import { createHttpTransport, isRetryableApi } from "../otlp/http-transport.ts";
import type { SendResult } from "../queue/send-result.ts";
import { SCORES_BATCH_RECORDS } from "../queue/backend-down.ts";
import { createDeliveryQueue } from "../queue/delivery-queue.ts";
import { FailedAttempts } from "../queue/failed-attempts.ts";
import type { DiskQueue } from "../queue/disk-queue.ts";
import type { ScoreKind, ScoresDestination } from "../settings.ts";
import type { Posted, ScoreBackend, ScoreRequest } from "./backend.ts";
import { braintrust } from "./braintrust.ts";
import { datadog } from "./datadog.ts";
import { langfuse } from "./langfuse.ts";
import { langsmith } from "./langsmith.ts";
import { mlflow } from "./mlflow.ts";
import { phoenix } from "./phoenix.ts";
import { queueSink, type VerdictSink } from "../verdict-sink.ts";
import { type ScoredVerdict, scoredVerdict } from "./score.ts";

/** All backends by the kind that the configuration names. */
export const scoreBackends: Readonly<Record<ScoreKind, ScoreBackend>> = {
  langfuse,
  phoenix,
  mlflow,
  langsmith,
  braintrust,
  datadog,
};

/** Maximum number of verdicts whose last posted revision is remembered. */
const mostRevisions = 10_000;

export interface ScoresOptions {
  readonly destination: ScoresDestination;
  /** Configuration key of the destination, for messages. */
  readonly key: string;
  readonly version: string;
  readonly listeners: readonly string[];
  readonly content: boolean;
  /** URL of Tracejury's web page for links; null for no links. */
  readonly link: string | null;
  readonly events: ExportEvents;
  readonly diskQueue: DiskQueue | undefined;
  readonly now: () => number;
}

/**
 * Creates an output that posts scores to one backend. A record contains the selected scores of one verdict.
 * @throws EndpointError if the address is invalid, or is a listener of this process
 */
export function createScores(options: ScoresOptions): VerdictSink {
  const { destination, key, version, listeners, content, link, events, diskQueue, now } = options;
  const { kind, endpoint, names, on, timeoutMs, waitMs } = destination;
  refuseOwnListener(endpoint, listeners, `${key}.endpoint`);
  const backend = scoreBackends[kind];
  const base = endpoint.replace(/\/+$/, "");
  const transport = createHttpTransport({
    url: base,
    headers: {
      ...(destination.key === null ? {} : backend.headers(destination.key)),
      ...destination.headers,
    },
    compression: "none",
    contentType: "application/json",
    userAgent: `tracejury/${version}`,
    isRetryable: isRetryableApi,
  });
  const request: ScoreRequest = (method, path, body) => {
    const bytes = body === undefined ? new Uint8Array(0) : Buffer.from(JSON.stringify(body));
    return transport.send(bytes, timeoutMs, {}, { method, url: `${base}${path}` });
  };
  const route = { exporter: kind, signal: "verdicts", destination: new URL(endpoint).host } as const;
  const isNewest = newestRevisions();
  // A backend that is down receives no traces either. So when the backend works again, scores wait for their trace from then on.
  let lastDownMs = -Infinity;
  /** An exception, for example after a response of unknown shape, counts as retryable. */
  const post = async (verdicts: readonly ScoredVerdict[]): Promise<readonly Posted[] | SendResult> => {
    try {
      return await backend.post(verdicts, request, destination.project);
    } catch (error) {
      return { outcome: "retry", error: messageOf(error), retryAfterMs: null };
    }
  };
  const ended = (result: SendResult): SendResult => {
    if (result.outcome === "retry") lastDownMs = now();
    return result;
  };
  const failing = new NewestEntries<string, FailedAttempts>(mostRevisions);
  /**
   * Records a failure of a verdict in a batch in which other verdicts succeeded. Returns true if the verdict has failed for at least
   * `waitMs`.
   */
  const isFailingFor = ({ verdictId }: ScoredVerdict): boolean => {
    const attempts = failing.get(verdictId) ?? new FailedAttempts();
    failing.set(verdictId, attempts);
    attempts.add(now(), Infinity);
    const isOver = attempts.isOver(now(), waitMs);
    if (isOver) failing.delete(verdictId);
    return isOver;
  };
  const queue = createDeliveryQueue({
    route,
    events,
    diskQueue,
    closeTransport: () => transport.shutdown(),
    limits: { maxBatchRecords: SCORES_BATCH_RECORDS, maxElapsedMs: waitMs },
    send: async (records): Promise<SendResult> => {
      const verdicts = records.map((record) => JSON.parse(Buffer.from(record).toString()) as ScoredVerdict);
      // First records all revisions of the batch, because an earlier revision in the same batch is out of date, too. Some backends get the
      // verdicts of a batch in parallel.
      verdicts.forEach(isNewest);
      const current = verdicts.filter(isNewest);
      const results = current.length === 0 ? [] : await post(current);
      if ("outcome" in results) return ended(results);
      const byVerdict = new Map(current.map((verdict, at) => [verdict, results[at]]));
      const posted = verdicts.map((verdict) => byVerdict.get(verdict) ?? { outcome: "taken" as const });
      const retry = posted.find((result) => result.outcome === "retry");
      const hasSuccess = posted.some(({ outcome }) => outcome !== "retry");
      if (retry !== undefined && (!hasSuccess || (retry.retryAfterMs ?? 0) > 0)) return ended(retry);
      const isLate = verdicts.map((verdict, at) =>
        posted[at]?.outcome === "retry"
          ? isFailingFor(verdict)
          : now() - Math.max(verdict.judgedUnixMs, lastDownMs) > waitMs,
      );
      const refused = posted.flatMap((result, at) => refusal(result, isLate[at] === true));
      const [why] = refused;
      if (why !== undefined) events.rejected({ ...route, records: refused.length, why });
      const isUndone = posted.map(({ outcome }) => outcome === "absent" || outcome === "retry");
      const postponed = records.filter((_, at) => isUndone[at] === true && isLate[at] === false);
      return { outcome: "delivered", rejected: refused.length, postponed };
    },
  });
  return queueSink(queue, (verdict) => {
    const scored = scoredVerdict(verdict, { names, on, content, link }, now());
    return scored.scores.length === 0 ? undefined : Buffer.from(JSON.stringify(scored));
  });
}

/** Returns why a verdict's scores are dropped; an empty list if the scores are not dropped. */
function refusal(result: Posted, isLate: boolean): readonly string[] {
  if (result.outcome === "refused") return [result.error];
  if (result.outcome === "retry") return isLate ? [result.error] : [];
  return result.outcome === "absent" && isLate
    ? [
        "the backend has not received the judged trace: send the agent's telemetry there, too, for example with `forward`",
      ]
    : [];
}

/**
 * Returns a filter that drops a revision if a later one was already sent. Scores wait while the backend does not have their trace, so an
 * earlier revision can be sent after a later one.
 */
function newestRevisions(): (verdict: ScoredVerdict) => boolean {
  const newest = new NewestEntries<string, number>(mostRevisions);
  return ({ verdictId, revision }) => {
    if ((newest.get(verdictId) ?? 0) > revision) return false;
    newest.set(verdictId, revision);
    return true;
  };
}
