import type { SpanPlace } from "./call-span.ts";
import { IdFinder } from "./id-finder.ts";
import type { TraceParent } from "./trace-parent.ts";

/** A span that the agent's own instrumentation wrote. Times in milliseconds since 1970. */
export interface AgentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly startUnixMs: number;
  readonly endUnixMs: number;
  /** The values of its attributes. */
  readonly texts: () => Iterable<string>;
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
 * else below the closest span that was open all the while, else in a trace of its own. A failed call that no span is around is no run of its own:
 * it stands below the agent's root that began before it.
 */
export function placeCalls(
  calls: readonly UnplacedCall[],
  agentSpans: readonly AgentSpan[],
): ReadonlyMap<UnplacedCall, SpanPlace> {
  const parents = new Set(agentSpans.map(({ traceId, parentSpanId }) => `${traceId} ${parentSpanId}`));
  const ids = new Set(agentSpans.map(keyOf));
  const traces = new Set(agentSpans.map(({ traceId }) => traceId));
  const taken = new Set<AgentSpan>();
  const naming = spansByResponse(calls, agentSpans);
  const places = new Map<UnplacedCall, SpanPlace>();
  const tops = agentSpans
    .filter((span) => span.parentSpanId === null || !ids.has(`${span.traceId} ${span.parentSpanId}`))
    .sort((a, b) => a.startUnixMs - b.startUnixMs);
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
          (naming.get(call.responseId ?? "") ?? []).filter(
            ({ traceId }) => sameTrace === null || traceId === sameTrace,
          ),
          (span) => parents.has(keyOf(span)) || !taken.has(span),
        );
    if (own !== null && !call.hasFailed) taken.add(own);
    const span = isNamed
      ? parent
      : (own ?? (call.hasFailed && sameTrace === null ? rootBefore(call, tops) : null));
    places.set(call, {
      traceId: span?.traceId ?? parent?.traceId ?? call.traceId,
      spanId,
      parentSpanId: span?.spanId ?? null,
    });
  }
  return places;
}

/** The root that began last before a call, else the first one; a root that never came, where only spans below it did. */
function rootBefore({ startUnixMs }: UnplacedCall, tops: readonly AgentSpan[]): TraceParent | null {
  const top = tops.findLast((one) => one.startUnixMs <= startUnixMs + TOLERANCE_MS) ?? tops[0];
  return top === undefined ? null : { traceId: top.traceId, spanId: top.parentSpanId ?? top.spanId };
}

function keyOf({ traceId, spanId }: TraceParent): string {
  return `${traceId} ${spanId}`;
}

/** The spans whose attributes hold the id of a response. */
function spansByResponse(
  calls: readonly UnplacedCall[],
  agentSpans: readonly AgentSpan[],
): ReadonlyMap<string, readonly AgentSpan[]> {
  const found = new Map<string, Set<AgentSpan>>();
  const ids = new IdFinder(calls.flatMap(({ responseId }) => responseId ?? []));
  for (const span of agentSpans)
    for (const text of span.texts())
      ids.find(text, (id) => {
        const spans = found.get(id) ?? new Set();
        found.set(id, spans.add(span));
      });
  return new Map([...found].map(([id, spans]) => [id, [...spans]]));
}

/** Of the spans around a call: the one that names its response, else one without children and without a call yet, else the shortest. */
function closest(
  call: UnplacedCall,
  spans: readonly AgentSpan[],
  naming: readonly AgentSpan[],
  isFree: (span: AgentSpan) => boolean,
): AgentSpan | null {
  const candidates =
    naming.length > 0
      ? withoutOuter(naming)
      : spans.filter(
          (span) =>
            span.startUnixMs <= call.startUnixMs + TOLERANCE_MS &&
            span.endUnixMs >= call.endUnixMs - TOLERANCE_MS &&
            isFree(span),
        );
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
