import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { forwardQueueLimits } from "../../export/queue/backend-down.ts";
import type { EventsOf } from "../../export/forward/tail/held-bodies.ts";
import type { ForwardEvents } from "../../export/forward/route.ts";
import { Forwarder } from "../../export/forward/forwarder.ts";
import type { ForwardDestination, ForwardDurability } from "../../export/forward/settings.ts";
import { JournalOpenError } from "../../journal/disk/errors.ts";
import { observeForwarder } from "../../support/telemetry/metrics/instruments/forward-metrics.ts";
import type { DamageReport } from "../../support/telemetry/reports/damage-report.ts";
import { type LimitedLog, limitedLog, type Log } from "../../support/telemetry/log/log.ts";
import type { Recorder } from "../../support/telemetry/metrics/recorder.ts";
import { version } from "../../support/process/version.ts";

/** Backends for forwarding, and how safely their queues are stored. */
export interface ForwardSettings {
  readonly destinations: readonly ForwardDestination[];
  /** Data folder, with a subfolder for the queues. */
  readonly dataDir: string;
  readonly durability: ForwardDurability;
}

export interface ForwardingParts {
  readonly listeners: readonly string[];
  readonly recorder: Recorder;
  readonly damage: DamageReport;
  readonly log: Log;
  /** Observes each request to a backend, to record it in Tracejury's own traces. */
  readonly attempted?: ForwardEvents["attempted"];
  /** Encodes the verdicts of a trace as events for its root span. */
  readonly eventsOf: EventsOf;
}

/**
 * Returns callbacks that log when a backend fails and when it works again. Each message is logged at most once a minute, because a backend
 * can fail and recover many times.
 */
export function failureLog(log: Log, limited: LimitedLog): Pick<ForwardEvents, "failing" | "working"> {
  const failing = new Set<string>();
  return {
    failing(destination, error) {
      if (
        limited.warn(
          { destination, error },
          "requests cannot be forwarded to a backend, and wait in its queue; retrying",
        )
      )
        failing.add(destination);
    },
    working(destination, failures) {
      if (!failing.delete(destination)) return;
      log.info({ destination, failures }, "forwarding works again");
    },
  };
}

/** Opens the queues and senders of all backends. Resolves to null if no backend is configured. */
export async function openForwarding(
  settings: ForwardSettings | undefined,
  { listeners, recorder, damage, log, attempted, eventsOf }: ForwardingParts,
): Promise<Forwarder | null> {
  if (settings === undefined || settings.destinations.length === 0) return null;
  const { destinations, dataDir, durability } = settings;
  const limited = limitedLog(log);
  const dir = join(dataDir, "forward");
  const opening = Forwarder.open({
    destinations,
    dir,
    durability,
    instance: randomUUID(),
    version,
    listeners,
    eventsOf,
    memoryBytes:
      durability === "memory" ? forwardQueueLimits.inMemoryBytes : forwardQueueLimits.besideDiskBytes,
    now: () => performance.now(),
    random: Math.random,
    events: {
      ...failureLog(log, limited),
      ...(attempted === undefined ? {} : { attempted }),
      rejected: (destination, items, why) =>
        limited.warn(
          { destination, items, why },
          "a backend accepted a forwarded request, but rejected some of its spans, log records or data points",
        ),
      dropped: (destination, signal, reason, error) =>
        limited.error({ destination, signal, reason, error }, "a request was dropped and not forwarded"),
      damaged: (destination, found) => damage.found("forward", `the queue to ${destination}`, found),
      storeFailed: (destination, error) =>
        limited.error(
          { destination, err: error },
          "the disk queue of a backend in `forward` cannot be written: check the free disk space and the permissions of data_dir",
        ),
    },
  });
  const forwarder = await opening.catch((error: unknown) => {
    if (error instanceof JournalOpenError || !(error instanceof Error && "code" in error)) throw error;
    throw new JournalOpenError(`the forward queues in ${dir} cannot be opened: ${error.message}`);
  });
  observeForwarder(recorder, forwarder.backends);
  for (const { name, backend } of forwarder.backends) {
    const { recovered } = backend.counts;
    if (recovered > 0)
      log.info(
        { destination: name, requests: recovered },
        "requests that the previous process had not forwarded were read from the disk queue, and are forwarded now",
      );
  }
  return forwarder;
}
