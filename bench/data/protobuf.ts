import { fileURLToPath } from "node:url";
import protobuf from "protobufjs";
import type { Span, TraceRequest } from "./otlp-json.ts";

/** The folder is found from the sources and from what was built of them alike. */
const up = import.meta.url.includes("/dist/bench/") ? "../../../proto/" : "../../proto/";
const folder = new URL(up, import.meta.url);

const root = new protobuf.Root();
root.loadSync(fileURLToPath(new URL("trace.proto", folder)));
root.resolveAll();
const TracesData = root.lookupType("opentelemetry.proto.trace.v1.TracesData");

/** A request as its protobuf bytes. */
export function encode(request: TraceRequest): Uint8Array {
  return encodeMessage(toMessage(request));
}

/** What `toMessage` made, as bytes. */
export function encodeMessage(message: protobuf.Message): Uint8Array {
  return TracesData.encode(message).finish();
}

/** A request as an object of the kind that the library decodes to. */
export function toMessage(request: TraceRequest): protobuf.Message {
  const message = {
    resourceSpans: request.resourceSpans.map((group) => ({
      ...group,
      scopeSpans: group.scopeSpans.map(({ scope, spans }) => ({ scope, spans: spans.map(withBytes) })),
    })),
  };
  return TracesData.fromObject(message);
}

function withBytes(span: Span): object {
  const { traceId, spanId, parentSpanId } = span;
  return {
    ...span,
    traceId: Buffer.from(traceId, "hex"),
    spanId: Buffer.from(spanId, "hex"),
    parentSpanId: Buffer.from(parentSpanId, "hex"),
  };
}

/** The whole request as objects, by the code that protobufjs generates from the proto files. */
export function decodeToObjects(body: Uint8Array): unknown {
  return TracesData.decode(body);
}

/** Any request, given in OTLP/JSON with hex ids, as protobuf bytes. */
export function encodeJson(document: unknown): Uint8Array {
  return TracesData.encode(TracesData.fromObject(idsToBase64(document) as object)).finish();
}

const idNames = new Set(["traceId", "spanId", "parentSpanId"]);

/** protobufjs reads bytes from base64; OTLP/JSON writes ids in hex. */
function idsToBase64(value: unknown, name = ""): unknown {
  if (typeof value === "string")
    return idNames.has(name) ? Buffer.from(value, "hex").toString("base64") : value;
  if (Array.isArray(value)) return value.map((one: unknown) => idsToBase64(one));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, idsToBase64(inner, key)]));
}
