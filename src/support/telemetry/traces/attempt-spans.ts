import type { ForwardEvents } from "../../../export/forward/route.ts";
import type { ExportEvents } from "../../../export/records/export-events.ts";
import type { OwnTraces } from "./own-traces.ts";

/** Spans of what outputs send: one for each attempt. */
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
