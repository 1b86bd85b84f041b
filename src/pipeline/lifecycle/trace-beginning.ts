import { type AttributeKey, key } from "../../model/telemetry/attribute-key.ts";
import { SpanKind, type SpanView } from "../../model/telemetry/span-view.ts";

/** A trace's first span. It helps users to see why the trace contains no agent. */
export interface TraceBeginning {
  /** Name of the service; null if the resource has none. */
  readonly service: string | null;
  /** Kind of the span in words, such as `HTTP server` or `database client`. */
  readonly kind: string;
  /** Name of the instrumentation scope; empty if there is none. */
  readonly scope: string;
}

/** Number of traces without an agent whose first spans have the same service, kind and scope, and number of their spans. */
export interface SpansWithoutAgent extends TraceBeginning {
  readonly traces: number;
  readonly spans: number;
}

const SERVICE = key("service.name");

/**
 * Kinds of systems, with the attributes that identify them. The attributes are from OpenTelemetry's semantic conventions, including former
 * names.
 */
const systems: readonly (readonly [words: string, marks: readonly AttributeKey[]])[] = [
  ["HTTP", [key("http.request.method"), key("http.method")]],
  ["database", [key("db.system.name"), key("db.system")]],
  ["RPC", [key("rpc.system.name"), key("rpc.system")]],
  ["messaging", [key("messaging.system")]],
];

const kinds: ReadonlyMap<number, string> = new Map([
  [SpanKind.internal, "internal"],
  [SpanKind.server, "server"],
  [SpanKind.client, "client"],
  [SpanKind.producer, "producer"],
  [SpanKind.consumer, "consumer"],
]);

export function beginningOf(span: SpanView): TraceBeginning {
  const system = systems.find(([, marks]) => marks.some((mark) => span.has(mark)))?.[0];
  const kind = kinds.get(span.kind);
  const parts = [system, kind === "internal" && system !== undefined ? undefined : kind];
  return {
    service: span.resource.text(SERVICE) ?? null,
    kind: parts.filter((word) => word !== undefined).join(" ") || "unspecified",
    scope: span.scopeName,
  };
}

/** Adds up spans by service, kind and scope of the trace's first span. The largest sums come first. */
export function sumByBeginning(
  traces: Iterable<{ readonly beginning: TraceBeginning; readonly spans: number }>,
): readonly SpansWithoutAgent[] {
  const groups = new Map<string, SpansWithoutAgent>();
  for (const { beginning, spans } of traces) {
    const id = JSON.stringify([beginning.service, beginning.kind, beginning.scope]);
    const before = groups.get(id) ?? { ...beginning, traces: 0, spans: 0 };
    groups.set(id, { ...before, traces: before.traces + 1, spans: before.spans + spans });
  }
  return [...groups.values()].sort((a, b) => b.spans - a.spans);
}
