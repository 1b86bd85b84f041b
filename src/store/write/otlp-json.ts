import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type Protobuf from "protobufjs";
import type { Root } from "protobufjs";
import { isArray, isObject, type JsonValue } from "../../model/json.ts";
import { packageFolder } from "../../support/process/package-folder.ts";
import type { Telemetry } from "../archive.ts";

const messages = {
  traces: "opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest",
  logs: "opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest",
} as const;
const files = { traces: "collector-trace.proto", logs: "collector-logs.proto" } as const;

let loaded: Root | undefined;

/**
 * Decodes an OTLP message into the object form of OTLP/JSON: ids in hex, 64-bit integers as text, other
 * bytes in base64.
 */
export function otlpObject({ signal, encoding, bytes }: Telemetry): JsonValue {
  if (encoding === "json") return JSON.parse(new TextDecoder().decode(bytes)) as JsonValue;
  loaded ??= load();
  const type = loaded.lookupType(messages[signal]);
  const object = type.toObject(type.decode(bytes), { longs: String, bytes: String });
  return withHexIds(object);
}

/** Loads protobuf and the message types. Loading is slow, so the callers do not call `load` before the first use. */
function load(): Root {
  const protobuf = createRequire(import.meta.url)("protobufjs") as typeof Protobuf;
  const folder = new URL("proto/", packageFolder());
  const root = new protobuf.Root();
  root.resolvePath = (_origin, target) => fileURLToPath(new URL(target, folder));
  for (const file of Object.values(files)) root.loadSync(file);
  return root;
}

const ids: ReadonlySet<string> = new Set(["traceId", "spanId", "parentSpanId"]);

function withHexIds(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map(withHexIds);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      ids.has(key) && typeof child === "string"
        ? Buffer.from(child, "base64").toString("hex")
        : withHexIds(child),
    ]),
  );
}
