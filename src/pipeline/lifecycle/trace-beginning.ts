import { type AttributeKey, key } from "../../model/telemetry/attribute-key.ts";
import { SpanKind, type SpanView } from "../../model/telemetry/span-view.ts";

/** The first span of a trace, to show why the trace has no agent. */
export interface TraceBeginning {
  /** Null where the resource does not name it. */
  readonly service: string | null;
  /** `HTTP server`, `database client`: the span's kind in words. */
  readonly kind: string;
  /** Name of the instrumentation scope; empty if there is none. */
  readonly scope: string;
}

/** Spans of traces without an agent, by what those traces begin with. */
export interface SpansWithoutAgent extends TraceBeginning {
  readonly traces: number;
  readonly spans: number;
}

const SERVICE = key("service.name");

/** By OpenTelemetry's conventions, the earlier names included. */
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
  const words = [system, kind === "internal" && system !== undefined ? undefined : kind];
  return {
    service: span.resource.text(SERVICE) ?? null,
    kind: words.filter((word) => word !== undefined).join(" ") || "unspecified",
    scope: span.scopeName,
  };
}

/** Sums by service, kind and scope, most spans first. */
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
