import { SpanKind } from "../../model/telemetry/span-view.ts";
import type { SpanNode } from "../span/span-node.ts";
import { transcriptCalls } from "./transcript-calls.ts";

/** A trace that only builds something, embeds texts or passes messages is none. */
export function isRun(nodes: readonly SpanNode[]): boolean {
  if (nodes.some(({ role }) => role === "call" || role === "tool" || role === "agent")) return true;
  return isStopped(nodes) || nodes.some(isRunByItself) || hasTranscript(nodes);
}

/** A workflow or step that failed, or a workflow at the top with input and output. */
function isRunByItself({ role, parent, reading, failure }: SpanNode): boolean {
  if (role !== "workflow" && role !== "step") return false;
  if (failure !== null) return true;
  return role === "workflow" && parent === undefined && reading.has("input") && reading.has("output");
}

function hasTranscript(nodes: readonly SpanNode[]): boolean {
  return (
    nodes.some(({ role, reading }) => role === "step" && reading.has("output")) &&
    transcriptCalls(nodes).length > 0
  );
}

const MOST_NAMES = 256;
const protocol = /^(?:http|url|db|rpc|messaging|net|faas|server|client|network)\./;

/**
 * An application's own span that failed before anything below it began, as a guardrail leaves one. A span that speaks a protocol is some
 * other work that failed.
 */
export function isStopped(nodes: readonly SpanNode[]): boolean {
  const [only] = nodes;
  if (nodes.length !== 1 || only === undefined || only.role !== "unknown" || only.failure === null)
    return false;
  const { span } = only;
  const isWhole =
    span.parentSpanId === undefined && span.kind === SpanKind.internal && span.events.length > 0;
  if (!isWhole) return false;
  for (let place = 0; place < Math.min(span.size, MOST_NAMES); place++)
    if (protocol.test(span.nameAt(place))) return false;
  return true;
}
