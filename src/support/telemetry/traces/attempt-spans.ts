import type { ForwardEvents } from "../../../export/forward/route.ts";
import type { ExportEvents } from "../../../export/records/export-events.ts";
import type { OwnTraces } from "./own-traces.ts";

/** Spans of exports, one for each attempt. */
export function deliverySpans(traces: OwnTraces): NonNullable<ExportEvents["attempted"]> {
  return ({ exporter, signal, destination, records, ...attempt }) =>
    traces.attempt({
      ...attempt,
      name: `export ${exporter}`,
      kind: exporter === "kafka" ? "producer" : exporter === "file" ? "internal" : "client",
      attributes: {
        "tracejury.exporter": exporter,
        "tracejury.signal": signal,
        "tracejury.destination": destination,
        "tracejury.records": records,
      },
    });
}

/** Spans of telemetry that is sent on. */
export function forwardSpans(traces: OwnTraces): NonNullable<ForwardEvents["attempted"]> {
  return (destination, { signal, ...attempt }) =>
    traces.attempt({
      ...attempt,
      name: "forward",
      kind: "client",
      attributes: { "tracejury.signal": signal, "tracejury.destination": destination },
    });
}

/** A commit of Kafka offsets that was tried. */
export interface CommitAttempt {
  readonly partitions: number;
  readonly startUnixMs: number;
  readonly endUnixMs: number;
  /** Why it failed; null when it did not. */
  readonly error: string | null;
}

/** Spans of commits of Kafka offsets. */
export function commitSpans(traces: OwnTraces): (commit: CommitAttempt) => void {
  return ({ partitions, ...attempt }) =>
    traces.attempt({
      ...attempt,
      name: "kafka commit",
      kind: "client",
      attributes: { "messaging.system": "kafka", "tracejury.partitions": partitions },
    });
}
