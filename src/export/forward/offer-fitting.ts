import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { fileURLToPath } from "node:url";
import type protobuf from "protobufjs";
import type { Refusal } from "../../receive/ports.ts";
import type { Outgoing } from "./outgoing.ts";
import type { Route } from "./route.ts";
import { packageFolder } from "../../support/process/package-folder.ts";
import type { Signal } from "../../otlp/signal.ts";
import { messageOf } from "../../support/structures/error-message.ts";

const messages = {
  traces: ["trace.proto", "opentelemetry.proto.trace.v1.TracesData"],
  logs: ["logs.proto", "opentelemetry.proto.logs.v1.LogsData"],
  metrics: ["metrics.proto", "opentelemetry.proto.metrics.v1.MetricsData"],
} as const satisfies Record<Signal, readonly [file: string, type: string]>;

const types = new Map<Signal, Promise<protobuf.Type>>();

/** Queues a request in a format that the backend accepts. A request that cannot be converted is dropped and counted. */
export async function offerFitting(
  { destination, backend }: Route,
  outgoing: Outgoing,
  inflated: Uint8Array | null,
): Promise<Refusal | null> {
  let fitting = outgoing;
  if (destination.protocol === "grpc") {
    try {
      const isPlain = outgoing.coding === null;
      fitting = await fitForGrpc(outgoing, isPlain ? outgoing.body : (inflated ?? (await plain(outgoing))));
    } catch (error) {
      backend.dropUnfit(outgoing.signal, messageOf(error));
      return null;
    }
  }
  return backend.offer(fitting);
}

async function plain({ coding, body }: Outgoing): Promise<Uint8Array> {
  return coding === "gzip" ? promisify(gunzip)(body) : body;
}

/**
 * Converts a request for a gRPC backend. Protobuf without compression or with gzip stays unchanged. Other compressions are removed, and
 * JSON becomes protobuf; JSON fields that OTLP does not define are lost.
 */
async function fitForGrpc(outgoing: Outgoing, inflated: Uint8Array): Promise<Outgoing> {
  if (outgoing.encoding === "json") {
    const body = await jsonToProtobuf(outgoing.signal, inflated);
    return { ...outgoing, encoding: "protobuf", coding: null, body };
  }
  if (outgoing.coding === null || outgoing.coding === "gzip") return outgoing;
  return { ...outgoing, coding: null, body: inflated };
}

async function jsonToProtobuf(signal: Signal, body: Uint8Array): Promise<Uint8Array> {
  const type = await typeFor(signal);
  const document: unknown = JSON.parse(Buffer.from(body).toString());
  return type.encode(type.fromObject(withBytes(document) as Record<string, unknown>)).finish();
}

function typeFor(signal: Signal): Promise<protobuf.Type> {
  const loading = types.get(signal) ?? loadType(signal);
  types.set(signal, loading);
  return loading;
}

async function loadType(signal: Signal): Promise<protobuf.Type> {
  const { default: protobufjs } = await import("protobufjs");
  const [file, name] = messages[signal];
  const root = new protobufjs.Root();
  await root.load(fileURLToPath(new URL(`proto/${file}`, packageFolder())));
  return root.resolveAll().lookupType(name);
}

/** Converts hex ids in OTLP/JSON into bytes, as protobufjs requires. Accepts field names in camel case and snake case. */
function withBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBytes);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      const isId = /^(traceId|spanId|parentSpanId)$/.test(name) && typeof inner === "string";
      return [name, isId ? Buffer.from(inner, "hex") : withBytes(inner)];
    }),
  );
}
