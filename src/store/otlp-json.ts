import { fileURLToPath } from "node:url";
import type { Root } from "protobufjs";
import type { Telemetry } from "../api/store.ts";

/** The folder of the .proto files, seen from the built file and from the source. */
const folders = [new URL("../../../proto/", import.meta.url), new URL("../../proto/", import.meta.url)];

const messages = {
  traces: "opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest",
  logs: "opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest",
} as const;
const files = { traces: "collector-trace.proto", logs: "collector-logs.proto" } as const;

let loaded: Promise<Root> | undefined;

/** An OTLP message as the object that OTLP/JSON writes: ids in hex, 64-bit integers as text, other bytes in base64. */
export async function otlpObject({ signal, encoding, bytes }: Telemetry): Promise<object> {
  if (encoding === "json") return JSON.parse(new TextDecoder().decode(bytes)) as object;
  const root = await (loaded ??= load());
  const type = root.lookupType(messages[signal]);
  const object = type.toObject(type.decode(bytes), { longs: String, bytes: String });
  return withHexIds(object) as object;
}

async function load(): Promise<Root> {
  const { default: protobuf } = await import("protobufjs");
  const { existsSync } = await import("node:fs");
  const folder = folders.find((one) => existsSync(one)) ?? folders[0];
  const root = new protobuf.Root();
  root.resolvePath = (_origin, target) => fileURLToPath(new URL(target, folder));
  for (const file of Object.values(files)) root.loadSync(file);
  return root;
}

const ids: ReadonlySet<string> = new Set(["traceId", "spanId", "parentSpanId"]);

function withHexIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withHexIds);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      ids.has(key) && typeof child === "string"
        ? Buffer.from(child, "base64").toString("hex")
        : withHexIds(child),
    ]),
  );
}
