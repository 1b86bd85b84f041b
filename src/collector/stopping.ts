import type { Admin } from "../api/http/admin.ts";
import type { Receiver } from "../receive/receiver.ts";
import type { Engine } from "../replay/engine.ts";
import type { Consuming } from "./inputs/kafka-accept-log.ts";
import type { Fates } from "./evaluation/trace-lifecycle.ts";
import type { Journalling } from "./inputs/journal-accept-log.ts";
import type { LiveRules } from "./evaluation/rules.ts";
import type { LiveSinks } from "./outputs/sinks.ts";
import type { RunLine } from "./evaluation/evaluation-pipeline.ts";
import { waitForJudges } from "./evaluation/wait-for-judges.ts";

export interface RunningParts {
  readonly receiver: Receiver;
  readonly admin: Admin | null;
  readonly engine: Engine;
  readonly rules: LiveRules;
  readonly line: RunLine;
  readonly fates: Fates;
  readonly sinks: LiveSinks;
  readonly consuming: Consuming | null;
  readonly journalling: Journalling | null;
  readonly now: () => number;
  /** Ends what is done several times a second. */
  readonly stopTicking: () => void;
}

/** Takes nothing more, sends out what can be sent within the time, and closes everything in the order of the pipeline. */
export async function stopLive(parts: RunningParts, timeoutMs: number): Promise<void> {
  const { receiver, admin, engine, rules, line, fates, consuming, journalling, now } = parts;
  const { exporter, forwarder, results, meter } = parts.sinks;
  const holding = forwarder?.holding ?? null;
  const deadline = now() + timeoutMs;
  await receiver.close(timeoutMs / 4);
  parts.stopTicking();
  consuming?.letGo();
  if (journalling === null) engine.pipeline.drain("shutdown", now());
  await waitForJudges(line.queue, (deadline - now()) / 2, () => {
    line.abandon();
    rules.by.judging?.abort();
  });
  await Promise.all([journalling?.settled(), consuming?.settled()]);
  fates.tick(() => engine.pipeline.awaitedTraceIds(), 0);
  await holding?.close(journalling === null);
  const rest = Math.max(0, deadline - now()) / 2;
  await Promise.all([exporter.close(rest), forwarder?.close(rest), results.drain(rest)]);
  await consuming?.stop();
  await journalling?.stop();
  await meter.shutdown(Math.max(0, deadline - now()) / 2);
  await admin?.close();
  await results.close();
}
