import { fileURLToPath } from "node:url";
import protobuf from "protobufjs";
import type { TraceRequest } from "./span.ts";

/** The path to the folder differs between the sources and the built files. */
const up = import.meta.url.includes("/dist/bench/") ? "../../../proto/" : "../../proto/";

const root = new protobuf.Root();
root.loadSync(fileURLToPath(new URL(`${up}trace.proto`, import.meta.url)));
root.resolveAll();
const TracesData = root.lookupType("opentelemetry.proto.trace.v1.TracesData");

/** Encodes a request, which is OTLP/JSON with hexadecimal ids, as protobuf. */
export function encode(request: TraceRequest): Uint8Array {
  return TracesData.encode(TracesData.fromObject(withBytes(request) as object)).finish();
}

/** Decodes a request into objects with the code that protobufjs generates from the proto files. */
export function decodeToObjects(body: Uint8Array): unknown {
  return TracesData.decode(body);
}

const idNames = new Set(["traceId", "spanId", "parentSpanId"]);

function withBytes(value: unknown, name = ""): unknown {
  if (typeof value === "string") return idNames.has(name) ? Buffer.from(value, "hex") : value;
  if (Array.isArray(value)) return value.map((one: unknown) => withBytes(one));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withBytes(inner, key)]));
}
