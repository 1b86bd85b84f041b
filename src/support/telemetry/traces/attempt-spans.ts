import type { ForwardEvents } from "../../../export/forward/route.ts";
import type { ExportEvents } from "../../../export/records/export-events.ts";
import type { OwnTraces } from "./own-traces.ts";

/** Returns a function that creates a span for each attempt to export. */
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

/** Returns a function that creates a span for each attempt to forward telemetry. */
export function forwardSpans(traces: OwnTraces): NonNullable<ForwardEvents["attempted"]> {
  return (destination, { signal, ...attempt }) =>
    traces.attempt({
      ...attempt,
      name: "forward",
      kind: "client",
      attributes: { "tracejury.signal": signal, "tracejury.destination": destination },
    });
}

export interface CommitAttempt {
  readonly partitions: number;
  readonly startUnixMs: number;
  readonly endUnixMs: number;
  /** Error message; null if the attempt succeeded. */
  readonly error: string | null;
}

/** Returns a function that records each commit of Kafka offsets as a span of Tracejury's own telemetry. */
export function commitSpans(traces: OwnTraces): (commit: CommitAttempt) => void {
  return ({ partitions, ...attempt }) =>
    traces.attempt({
      ...attempt,
      name: "kafka commit",
      kind: "client",
      attributes: { "messaging.system": "kafka", "tracejury.partitions": partitions },
    });
}
