import { elapsedMs, type SpanView } from "../../model/telemetry/span-view.ts";
import { recordingScope } from "../../model/telemetry/own-scope.ts";
import type { Evidence } from "../evidence.ts";

export interface TimeOfRun {
  readonly startUnixMs: number;
  readonly durationMs: number;
}

/** Time from the first start to the last end of the run's spans. */
export function timeOfRun({ root, nodes }: Evidence): TimeOfRun {
  let [first, last] = [root.span, root.span];
  for (const { role, span } of nodes) {
    // The model server records a call's end later than the agent does, so its spans do not count.
    if (role === "copy" && span.scopeName === recordingScope) continue;
    if (span.startUnixMs > 0 && isBefore(span, first)) first = span;
    if (isAfter(span, last)) last = span;
  }
  if (first.startUnixMs <= 0) return { startUnixMs: last.endUnixMs, durationMs: 0 };
  return { startUnixMs: first.startUnixMs, durationMs: elapsedMs(first, last) };
}

function isBefore(span: SpanView, other: SpanView): boolean {
  if (other.startUnixMs <= 0) return true;
  if (span.startUnixMs !== other.startUnixMs) return span.startUnixMs < other.startUnixMs;
  return span !== other && span.startUnixNano < other.startUnixNano;
}

function isAfter(span: SpanView, other: SpanView): boolean {
  if (span.endUnixMs !== other.endUnixMs) return span.endUnixMs > other.endUnixMs;
  return span !== other && span.endUnixNano > other.endUnixNano;
}
