import type { SpanPlace } from "./call-span.ts";
import type { TraceParent } from "./trace-parent.ts";

/**
 * Number of characters of an id by which the index groups ids. The prefix is short, because most ids of a provider begin with the same
 * characters.
 */
const PREFIX = 5;

/** Finds ids in texts. The time for a text does not grow with the number of ids that begin with the same characters. */
class IdFinder {
  readonly #byPrefix = new Map<string, { readonly ids: Set<string>; readonly lengths: Set<number> }>();

  constructor(ids: Iterable<string>) {
    for (const id of ids) {
      if (id === "") continue;
      const prefix = id.slice(0, PREFIX);
      const group = this.#byPrefix.get(prefix) ?? { ids: new Set(), lengths: new Set() };
      group.ids.add(id);
      group.lengths.add(id.length);
      this.#byPrefix.set(prefix, group);
    }
  }

  /** Calls `onId` with each id that the text contains. */
  find(text: string, onId: (id: string) => void): void {
    for (const [prefix, { ids, lengths }] of this.#byPrefix)
      for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at + 1))
        for (const length of lengths) {
          const id = text.slice(at, at + length);
          if (ids.has(id)) onId(id);
        }
  }
}

/** A span of the agent's own instrumentation. Times are milliseconds since 1970. */
export interface AgentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly startUnixMs: number;
  readonly endUnixMs: number;
  /** Returns the attribute values as texts. */
  readonly texts: () => Iterable<string>;
}

/** A call whose parent is to be found among the agent's spans. */
export interface UnplacedCall {
  readonly spanId: string;
  readonly responseId: string | null;
  readonly parent: TraceParent | null;
  /** Trace id for the call, if no parent is found and the client named no trace. */
  readonly traceId: string;
  readonly hasFailed: boolean;
  readonly startUnixMs: number;
  readonly endUnixMs: number;
}

/** Maximum difference in milliseconds between the clocks of two processes on one machine. */
const TOLERANCE_MS = 20;

/**
 * Finds the parent span of each call among the agent's spans. The first that exists is used: the span that the client named, the span with
 * the same response id, the closest span that began before the call and ended after it. If the client named a trace of the agent, only
 * spans of this trace are considered. A call without a parent gets the trace that the client named, or its own trace. A failed call without
 * a parent becomes a child of the last root span that began before the call, if the client named no trace of the agent.
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

/**
 * Returns the last root that began before a call; if none began before the call, the first root. If the root itself was not received, its
 * id is known from the parent id of its children.
 */
function rootBefore({ startUnixMs }: UnplacedCall, tops: readonly AgentSpan[]): TraceParent | null {
  const top = tops.findLast((one) => one.startUnixMs <= startUnixMs + TOLERANCE_MS) ?? tops[0];
  return top === undefined ? null : { traceId: top.traceId, spanId: top.parentSpanId ?? top.spanId };
}

function keyOf({ traceId, spanId }: TraceParent): string {
  return `${traceId} ${spanId}`;
}

/** Returns the agent's spans that have the response id of a call in an attribute, by this response id. */
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

/**
 * Returns the span whose times are closest to those of the call. If spans have the call's response id and produced the answer, chooses
 * among these; otherwise among the spans that enclose the call. An enclosing span without children becomes the parent of only one call.
 */
function closest(
  call: UnplacedCall,
  spans: readonly AgentSpan[],
  naming: readonly AgentSpan[],
  isFree: (span: AgentSpan) => boolean,
): AgentSpan | null {
  const around = spans.filter(
    (span) =>
      span.startUnixMs <= call.startUnixMs + TOLERANCE_MS &&
      span.endUnixMs >= call.endUnixMs - TOLERANCE_MS &&
      isFree(span),
  );
  const open = openDuring(call, naming.length > 0 ? naming : around);
  const candidates = naming.length > 0 ? withoutOuter(producing(open)) : open;
  return [...candidates].sort((a, b) => distance(a, call) - distance(b, call))[0] ?? null;
}

/**
 * Removes spans that begin after another span with the same response id has ended. Frameworks also write an answer into the spans of later
 * steps, which have it as input.
 */
function producing(naming: readonly AgentSpan[]): readonly AgentSpan[] {
  const firstEndMs = Math.min(...naming.map(({ endUnixMs }) => endUnixMs));
  return naming.filter(({ startUnixMs }) => startUnixMs <= firstEndMs);
}

/** Returns the spans that were open during part of the call; if there is no such span, returns all spans. */
function openDuring(call: UnplacedCall, spans: readonly AgentSpan[]): readonly AgentSpan[] {
  const open = spans.filter(
    ({ startUnixMs, endUnixMs }) => startUnixMs < call.endUnixMs && endUnixMs > call.startUnixMs,
  );
  return open.length === 0 ? spans : open;
}

/** Removes spans that enclose other spans of the list. */
function withoutOuter(spans: readonly AgentSpan[]): readonly AgentSpan[] {
  const outer = new Set(spans.map(({ traceId, parentSpanId }) => `${traceId} ${parentSpanId}`));
  const inner = spans.filter((span) => !outer.has(keyOf(span)));
  return inner.length === 0 ? spans : inner;
}

function distance(span: AgentSpan, call: UnplacedCall): number {
  return Math.abs(call.startUnixMs - span.startUnixMs) + Math.abs(span.endUnixMs - call.endUnixMs);
}
