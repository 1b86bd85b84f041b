import type { LlmCall } from "../calls/llm-call.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { SpanKind } from "../../model/telemetry/span-view.ts";

/** The spans of one run in a trace. */
export interface RunSpans {
  readonly root: SpanFacts;
  /** Spans of the run, ordered by start time. */
  readonly nodes: readonly SpanFacts[];
  /** Model calls among the run's spans, by start. */
  readonly calls: readonly LlmCall[];
  /** Whether the run is a turn of a conversation whose turns share a parent span. */
  readonly isTurn: boolean;
  /** Whether the session has more records than were read (`MOST_RECORDS`). */
  readonly isCut?: boolean;
}

/**
 * Whether the spans are a run: they have a model call, an agent, a tool, a failed workflow or step, or a failure before the run began. A
 * trace that only builds objects, embeds texts or passes messages on is not a run. The trace of a tool server is not a run either: the
 * caller's trace shows the use of the tool.
 */
export function isRun(nodes: readonly SpanFacts[], calls: readonly LlmCall[]): boolean {
  if (calls.length > 0) return true;
  for (const node of nodes) {
    const { role } = node;
    if (role === "call" || (role === "tool" && !isServed(node)) || role === "agent") return true;
  }
  return isStopped(nodes) || nodes.some(isRunByItself);
}

/**
 * Whether a tool ran in a server, for a caller whose trace context did not arrive. Spans that only receive the request, or that set the
 * server up, may enclose the tool.
 */
function isServed({ span, parent, parentCame }: SpanFacts): boolean {
  if (span.kind !== SpanKind.server) return false;
  if (span.parentSpanId === undefined) return true;
  if (parent === null || !parentCame) return false;
  const isOfServer = ({ role }: SpanFacts): boolean => role === "unknown" || role === "setup";
  let top = parent;
  for (let hops = 0; top.parent !== null && isOfServer(top) && hops < MOST_ABOVE; hops++) top = top.parent;
  return isOfServer(top) && top.span.parentSpanId === undefined;
}

/** Whether a span is a run on its own: a failed workflow or step. */
function isRunByItself({ role, failure }: SpanFacts): boolean {
  return (role === "workflow" || role === "step") && failure !== null;
}

/** Whether a program only loaded something while it started: its name says so, and nothing was asked. */
function isStartUp(node: SpanFacts): boolean {
  return (
    /(?:^|[. ])(?:bootstrap|start-?up|warm-?up|preload)$/i.test(node.span.name) &&
    !node.hasField(F.input) &&
    !node.hasField(F.inputMessages)
  );
}

/** Maximum number of spans above a tool that are examined. */
const MOST_ABOVE = 64;

const MOST_NAMES = 256;
const protocol = /^(?:http|url|db|rpc|messaging|net|faas|server|client|network)\./;

/**
 * Whether a failure stopped the run before it began: the only span is a failed application span, for example of a guardrail. A span with
 * attributes of a protocol, such as HTTP, is unrelated work.
 */
export function isStopped(nodes: readonly SpanFacts[]): boolean {
  const [only] = nodes;
  if (nodes.length !== 1 || only === undefined || only.role !== "unknown" || only.failure === null)
    return false;
  if (isStartUp(only)) return false;
  const { span } = only;
  if (span.parentSpanId !== undefined || span.kind !== SpanKind.internal || span.events.length === 0)
    return false;
  for (let place = 0; place < Math.min(span.size, MOST_NAMES); place++)
    if (protocol.test(span.nameAt(place))) return false;
  return true;
}

/** Largest number of spans in a trace that may be a failure before the agent began (`failedAlone`). */
export const MOST_ERROR_ONLY_SPANS = 3;

/**
 * Returns the failed application span of a small trace without agent attributes, because a guardrail may have stopped an agent before it
 * began; otherwise null.
 */
export function failedAlone(nodes: readonly SpanFacts[]): SpanFacts | null {
  const [root] = nodes;
  if (root === undefined || nodes.length > MOST_ERROR_ONLY_SPANS || root.parent !== null) return null;
  const isOwnWork = nodes.every(({ span, role }) => span.kind <= SpanKind.internal && role === "unknown");
  return isOwnWork && root.failure !== null ? root : null;
}
