import type { AttributesView, SpanView } from "../../model/telemetry/span-view.ts";

/** No attributes at all. */
export const noAttributes: AttributesView = {
  size: 0,
  has: () => false,
  text: () => undefined,
  number: () => undefined,
  boolean: () => undefined,
  value: () => undefined,
  json: () => undefined,
  eachKey: () => {},
  keys: () => [],
  named: () => undefined,
  nameAt: () => "",
  valueAt: () => undefined,
  tree: () => undefined,
};

const reads = Object.keys(noAttributes).filter((name) => name !== "size") as Exclude<
  keyof AttributesView,
  "size" | "layout" | "nameIdAt" | "textBytes" | "textBytesAt"
>[];

/**
 * An event or log record as a span: it has the record's attributes, and no duration unless an attribute gives one.
 * @param host the span of the record, or the record itself
 * @param startUnixMs the start, if the described work began before the record was written
 */
export function recordView(
  view: AttributesView,
  name: string,
  host: Pick<SpanView, "traceId" | "spanId" | "scopeName" | "resource">,
  endUnixMs: number,
  startUnixMs = endUnixMs,
): SpanView {
  const { traceId, spanId, scopeName, resource } = host;
  const own = Object.fromEntries(reads.map((read) => [read, view[read].bind(view)])) as Pick<
    AttributesView,
    (typeof reads)[number]
  >;
  return {
    ...own,
    ...(view.layout === undefined ? {} : { layout: view.layout }),
    ...(view.textBytes === undefined ? {} : { textBytes: view.textBytes.bind(view) }),
    ...(view.textBytesAt === undefined ? {} : { textBytesAt: view.textBytesAt.bind(view) }),
    size: view.size,
    traceId,
    spanId,
    scopeName,
    resource,
    name,
    parentSpanId: undefined,
    kind: 0,
    status: 0,
    statusMessage: "",
    startUnixMs,
    endUnixMs,
    endUnixNano: BigInt(Math.round(endUnixMs * 1e6)),
    scopeVersion: "",
    events: [],
    links: [],
    logs: [],
    droppedAttributes: 0,
  };
}
