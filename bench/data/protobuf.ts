import { fileURLToPath } from "node:url";
import protobuf from "protobufjs";
import type { TraceRequest } from "./span.ts";

/** The folder is found from the sources and from what was built of them alike. */
const up = import.meta.url.includes("/dist/bench/") ? "../../../proto/" : "../../proto/";

const root = new protobuf.Root();
root.loadSync(fileURLToPath(new URL(`${up}trace.proto`, import.meta.url)));
root.resolveAll();
const TracesData = root.lookupType("opentelemetry.proto.trace.v1.TracesData");

/** A request, given in OTLP/JSON with hex ids, as its protobuf bytes. */
export function encode(request: TraceRequest): Uint8Array {
  return TracesData.encode(TracesData.fromObject(withBytes(request) as object)).finish();
}

/** The whole request as objects, by the code that protobufjs generates from the proto files. */
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
