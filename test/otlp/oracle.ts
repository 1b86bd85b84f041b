import { fileURLToPath } from "node:url";
import protobuf from "protobufjs";

/** The folder is found from the sources and from what was built of them alike. */
const folder = new URL(
  import.meta.url.includes("/dist/test/") ? "../../../proto/" : "../../proto/",
  import.meta.url,
);

const root = new protobuf.Root();
root.loadSync(["trace", "logs", "metrics"].map((name) => fileURLToPath(new URL(`${name}.proto`, folder))));
root.resolveAll();

export const TracesData = root.lookupType("opentelemetry.proto.trace.v1.TracesData");
export const LogsData = root.lookupType("opentelemetry.proto.logs.v1.LogsData");
export const MetricsData = root.lookupType("opentelemetry.proto.metrics.v1.MetricsData");

/** Encodes a message given in protobufjs's own notation: camelCase names, ids as bytes. */
export function encode(type: protobuf.Type, message: Record<string, unknown>): Uint8Array {
  return type.encode(type.fromObject(message)).finish();
}
