import { elapsedMs } from "../../model/telemetry/span-view.ts";
import { recordingScope } from "../../model/telemetry/own-scope.ts";
import type { Evidence } from "../evidence.ts";
import type { SpanFacts } from "../facts/span-facts.ts";

export interface TimeOfRun {
  readonly startUnixMs: number;
  readonly durationMs: number;
}

/** Time from the first start to the last end of the run's spans. */
export function timeOfRun({ root, nodes }: Evidence): TimeOfRun {
  let [first, last] = [root, root];
  for (const node of nodes) {
    // The model server records a call's end later than the agent does, so its spans do not count.
    if (node.role === "copy" && node.span.scopeName === recordingScope) continue;
    if (node.start > 0 && isBefore(node, first)) first = node;
    if (isAfter(node, last)) last = node;
  }
  if (first.start <= 0) return { startUnixMs: last.end, durationMs: 0 };
  return { startUnixMs: first.start, durationMs: elapsedMs(first.span, last.span) };
}

function isBefore(node: SpanFacts, other: SpanFacts): boolean {
  if (other.start <= 0) return true;
  if (node.start !== other.start) return node.start < other.start;
  return node !== other && node.span.startUnixNano < other.span.startUnixNano;
}

function isAfter(node: SpanFacts, other: SpanFacts): boolean {
  if (node.end !== other.end) return node.end > other.end;
  return node !== other && node.span.endUnixNano > other.span.endUnixNano;
}
