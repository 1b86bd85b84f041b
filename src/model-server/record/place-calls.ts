import type { SpanPlace } from "./call-span.ts";
import type { TraceParent } from "./trace-parent.ts";

/** A span that the agent's own instrumentation wrote. Times in milliseconds since 1970. */
export interface AgentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly startUnixMs: number;
  readonly endUnixMs: number;
  /** Whether one of its attributes holds this text. */
  readonly mentions: (text: string) => boolean;
}

/** A call that is to be put among the agent's spans. */
export interface UnplacedCall {
  readonly spanId: string;
  readonly responseId: string | null;
  readonly parent: TraceParent | null;
  /** The trace of calls that no span of the agent is around. */
  readonly traceId: string;
  readonly hasFailed: boolean;
  readonly startUnixMs: number;
  readonly endUnixMs: number;
}

/** Clocks of two processes on one machine differ by this much at most. */
const TOLERANCE_MS = 20;

/**
 * Where each call stands: below the span that its client named, else below the agent's span of the same call, which holds the response's id,
 * else below the closest span that was open all the while, else in a trace of its own.
 */
export function placeCalls(
  calls: readonly UnplacedCall[],
  agentSpans: readonly AgentSpan[],
): ReadonlyMap<UnplacedCall, SpanPlace> {
  const parents = new Set(agentSpans.map(({ traceId, parentSpanId }) => `${traceId} ${parentSpanId}`));
  const ids = new Set(agentSpans.map(keyOf));
  const traces = new Set(agentSpans.map(({ traceId }) => traceId));
  const taken = new Set<AgentSpan>();
  const places = new Map<UnplacedCall, SpanPlace>();
  const sorted = [...calls].sort((a, b) => a.startUnixMs - b.startUnixMs);
  for (const call of sorted) {
    const { parent, spanId } = call;
    const isNamed = parent !== null && ids.has(keyOf(parent));
    const sameTrace = parent !== null && traces.has(parent.traceId) ? parent.traceId : null;
    const own = isNamed
      ? null
      : closest(
          call,
          agentSpans.filter(({ traceId }) => sameTrace === null || traceId === sameTrace),
          (span) => parents.has(keyOf(span)),
          taken,
        );
    if (own !== null && !call.hasFailed) taken.add(own);
    const span = isNamed ? parent : own;
    places.set(call, {
      traceId: span?.traceId ?? parent?.traceId ?? call.traceId,
      spanId,
      parentSpanId: span?.spanId ?? null,
    });
  }
  return places;
}

function keyOf({ traceId, spanId }: TraceParent): string {
  return `${traceId} ${spanId}`;
}

/** Of the spans around a call: the one that names its response, else one without children and without a call yet, else the shortest. */
function closest(
  call: UnplacedCall,
  spans: readonly AgentSpan[],
  hasChildren: (span: AgentSpan) => boolean,
  taken: ReadonlySet<AgentSpan>,
): AgentSpan | null {
  const { responseId } = call;
  const around = spans.filter(
    ({ startUnixMs, endUnixMs }) =>
      startUnixMs <= call.startUnixMs + TOLERANCE_MS && endUnixMs >= call.endUnixMs - TOLERANCE_MS,
  );
  const naming = responseId === null ? [] : spans.filter(({ mentions }) => mentions(responseId));
  const candidates =
    naming.length > 0 ? withoutOuter(naming) : around.filter((one) => hasChildren(one) || !taken.has(one));
  return [...candidates].sort((a, b) => distance(a, call) - distance(b, call))[0] ?? null;
}

/** Spans around others of the list are left out. */
function withoutOuter(spans: readonly AgentSpan[]): readonly AgentSpan[] {
  const outer = new Set(spans.map(({ traceId, parentSpanId }) => `${traceId} ${parentSpanId}`));
  const inner = spans.filter((span) => !outer.has(keyOf(span)));
  return inner.length === 0 ? spans : inner;
}

function distance(span: AgentSpan, call: UnplacedCall): number {
  return Math.abs(call.startUnixMs - span.startUnixMs) + Math.abs(span.endUnixMs - call.endUnixMs);
}
