import type { Admin } from "../interfaces/api/http/admin.ts";
import type { RecordServer } from "../model-server/record/record-server.ts";
import type { Receiver } from "../receive/receiver.ts";
import type { Engine } from "../replay/engine.ts";
import type { AcceptLogs } from "./inputs/accept-logs.ts";
import type { TraceFollower } from "./evaluation/follow-traces.ts";
import type { TraceLifecycle } from "../pipeline/lifecycle/trace-lifecycle.ts";
import type { EvaluationRules } from "./evaluation/rules.ts";
import type { CollectorSinks } from "./outputs/sinks.ts";
import type { EvaluationPipeline } from "./evaluation/evaluation-pipeline.ts";
import type { ChangeWatch } from "./evaluation/change-watch.ts";
import type { JudgingQueue } from "../pipeline/judging-queue.ts";

export interface RunningParts {
  readonly receiver: Receiver;
  /** Server for model calls; null if `models` is not configured. */
  readonly models: RecordServer | null;
  readonly admin: Admin | null;
  readonly engine: Engine;
  readonly rules: EvaluationRules;
  readonly pipeline: EvaluationPipeline;
  readonly lifecycle: TraceLifecycle;
  readonly follower: TraceFollower;
  readonly sinks: CollectorSinks;
  readonly acceptLogs: AcceptLogs;
  readonly now: () => number;
  /** Stops the timer that closes traces and frees memory. */
  readonly stopTicking: () => void;
  readonly changeWatch: ChangeWatch | null;
}

/** Stops accepting telemetry, sends waiting verdicts until the time-out, and closes every part in pipeline order. */
export async function stopCollectorProcess(parts: RunningParts, timeoutMs: number): Promise<void> {
  const { receiver, models, admin, engine, rules, pipeline, follower, acceptLogs, now } = parts;
  const { exporter, forwarder, results, meter, traces } = parts.sinks;
  const tailForwarder = forwarder?.tailForwarder ?? null;
  const deadline = now() + timeoutMs;
  await Promise.all([receiver.close(timeoutMs / 4), models?.close(timeoutMs / 4)]);
  parts.stopTicking();
  await parts.changeWatch?.stop(timeoutMs / 8);
  acceptLogs.relinquish();
  await waitForJudges(pipeline.queue, (deadline - now()) / 2, () => {
    pipeline.abandon();
    rules.by.judging?.abort();
  });
  await pipeline.delivery.settled();
  follower.settle(0);
  await tailForwarder?.close(!acceptLogs.requests.isDurable);
  const rest = Math.max(0, deadline - now()) / 2;
  await Promise.all([exporter.close(rest), forwarder?.close(rest), results.drain(rest)]);
  await pipeline.delivery.close();
  engine.pipeline.forgetRetained();
  await follower.finish();
  await acceptLogs.stop();
  await traces?.close(Math.max(0, deadline - now()) / 2);
  await meter.shutdown(Math.max(0, deadline - now()) / 2);
  await admin?.close();
  await results.close();
}

/** Waits for judge models until the time-out. After the time-out, calls `abort`, which cancels the calls to judge models. */
async function waitForJudges(queue: JudgingQueue, timeoutMs: number, abort: () => void): Promise<void> {
  const timer = setTimeout(abort, timeoutMs);
  await queue.fewer(0);
  clearTimeout(timer);
}
