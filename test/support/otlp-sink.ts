import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { LogsData, MetricsData, TracesData } from "../otlp/oracle.ts";

/** Attribute values as they were sent: an integer is a bigint, a double is a number. */
export type SinkValue =
  string | boolean | number | bigint | readonly SinkValue[] | { readonly [key: string]: SinkValue } | null;
export type SinkAttributes = { readonly [name: string]: SinkValue };

interface Received {
  readonly resource: SinkAttributes;
  readonly scope: { readonly name: string; readonly version: string };
  readonly schemaUrl: string;
  readonly attributes: SinkAttributes;
}

export interface SinkLog extends Received {
  readonly eventName: string;
  readonly severityNumber: number;
  readonly severityText: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
  readonly timeUnixNano: bigint;
  /** Undefined if the record has no body. */
  readonly body: SinkValue | undefined;
}

export interface SinkSpan extends Received {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly flags: number;
  readonly startTimeUnixNano: bigint;
  readonly endTimeUnixNano: bigint;
  readonly status: { readonly code: number; readonly message: string };
  readonly events: readonly {
    readonly name: string;
    readonly timeUnixNano: bigint;
    readonly attributes: SinkAttributes;
  }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

export interface SinkMetric extends Omit<Received, "attributes"> {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
  readonly points: readonly {
    readonly attributes: SinkAttributes;
    readonly value: number;
    readonly count: number;
  }[];
}

export interface SinkRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
}

/** The sink's answer: a status, with optional headers and body. `hang` means no answer. */
export type SinkAnswer =
  { readonly status: number; readonly headers?: Record<string, string>; readonly body?: Uint8Array } | "hang";

/** A real OTLP/HTTP backend that decodes and keeps the telemetry that it gets. */
export interface OtlpSink {
  /** `http://127.0.0.1:PORT` */
  readonly endpoint: string;
  readonly requests: readonly SinkRequest[];
  /** Bodies of the accepted requests, decompressed. */
  readonly bodies: readonly Uint8Array[];
  readonly logs: readonly SinkLog[];
  readonly spans: readonly SinkSpan[];
  readonly metrics: readonly SinkMetric[];
  /** Sets the answer to all following requests. Only requests that are answered with 2xx are kept. */
  answer: (path: string) => SinkAnswer;
  /** Resolves when `condition` is true; it is evaluated after each request. */
  until(condition: () => boolean): Promise<void>;
  /** Stops listening and breaks connections, like a crash. */
  stop(): Promise<void>;
  /** Listens on the same port again. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function startOtlpSink(): Promise<OtlpSink> {
  const sockets = new Set<Socket>();
  const watchers = new Set<() => void>();
  const requests: SinkRequest[] = [];
  const bodies: Uint8Array[] = [];
  const logs: SinkLog[] = [];
  const spans: SinkSpan[] = [];
  const metrics: SinkMetric[] = [];
  let server: Server;
  let port = 0;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = await buffer(request);
    const path = request.url ?? "";
    requests.push({ path, headers: request.headers });
    const answer = sink.answer(path);
    if (answer !== "hang") {
      if (answer.status < 300)
        keep(path, request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent);
      response.writeHead(answer.status, { "content-type": "application/x-protobuf", ...answer.headers });
      response.end(answer.body);
    }
    for (const watcher of watchers) watcher();
  };
  const keep = (path: string, body: Uint8Array): void => {
    bodies.push(body);
    if (path.endsWith("/v1/logs")) logs.push(...decodeLogs(body));
    else if (path.endsWith("/v1/traces")) spans.push(...decodeSpans(body));
    else if (path.endsWith("/v1/metrics")) metrics.push(...decodeMetrics(body));
    else throw new Error(`${path} is not an OTLP path`);
  };
  const listen = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server = createServer((request, response) => void handle(request, response));
      server.on("connection", (socket) => {
        sockets.add(socket);
        socket.on("close", () => sockets.delete(socket));
      });
      server.once("error", reject);
      server.listen(port, "127.0.0.1", () => {
        port = (server.address() as AddressInfo).port;
        resolve();
      });
    });
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  await listen();
  const sink: OtlpSink = {
    endpoint: `http://127.0.0.1:${port}`,
    requests,
    bodies,
    logs,
    spans,
    metrics,
    answer: () => ({ status: 200 }),
    until: (condition) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!condition()) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
    stop,
    restart: listen,
    close: stop,
  };
  return sink;
}

// Forms of the decoder: `value` names the field of a value that is set, 64-bit integers are Long, and absent fields have their defaults.
interface Message {
  readonly [field: string]: unknown;
}

export function decodeLogs(body: Uint8Array): SinkLog[] {
  return scoped(LogsData.decode(body) as unknown as Message, "resourceLogs", "scopeLogs", "logRecords").map(
    ({ message, around }) => ({
      ...around,
      attributes: attributesOf(message),
      eventName: String(message["eventName"]),
      severityNumber: Number(message["severityNumber"]),
      severityText: String(message["severityText"]),
      traceId: hex(message["traceId"]),
      spanId: hex(message["spanId"]),
      flags: Number(message["flags"]),
      timeUnixNano: integer(message["timeUnixNano"]),
      body: isSet(message, "body") ? valueOf(message["body"] as Message) : undefined,
    }),
  );
}

export function decodeSpans(body: Uint8Array): SinkSpan[] {
  return scoped(TracesData.decode(body) as unknown as Message, "resourceSpans", "scopeSpans", "spans").map(
    ({ message, around }) => {
      const status = (message["status"] ?? {}) as Message;
      return {
        ...around,
        attributes: attributesOf(message),
        traceId: hex(message["traceId"]),
        spanId: hex(message["spanId"]),
        parentSpanId: hex(message["parentSpanId"]),
        name: String(message["name"]),
        kind: Number(message["kind"]),
        flags: Number(message["flags"]),
        startTimeUnixNano: integer(message["startTimeUnixNano"]),
        endTimeUnixNano: integer(message["endTimeUnixNano"]),
        status: { code: Number(status["code"] ?? 0), message: (status["message"] ?? "") as string },
        events: messages(message, "events").map((event) => ({
          name: String(event["name"]),
          timeUnixNano: integer(event["timeUnixNano"]),
          attributes: attributesOf(event),
        })),
        links: messages(message, "links").map((link) => ({
          traceId: hex(link["traceId"]),
          spanId: hex(link["spanId"]),
        })),
      };
    },
  );
}

function decodeMetrics(body: Uint8Array): SinkMetric[] {
  const decoded = MetricsData.decode(body) as unknown as Message;
  return scoped(decoded, "resourceMetrics", "scopeMetrics", "metrics").map(({ message, around }) => {
    const data = (message["sum"] ?? message["gauge"] ?? message["histogram"] ?? {}) as Message;
    return {
      ...around,
      name: String(message["name"]),
      unit: String(message["unit"]),
      description: String(message["description"]),
      points: messages(data, "dataPoints").map((point) => ({
        attributes: attributesOf(point),
        value: isSet(point, "asInt")
          ? Number(integer(point["asInt"]))
          : Number(point["asDouble"] ?? point["sum"]),
        count: isSet(point, "count") ? Number(integer(point["count"])) : 0,
      })),
    };
  });
}

function scoped(
  data: Message,
  resources: string,
  scopes: string,
  records: string,
): { message: Message; around: Omit<Received, "attributes"> }[] {
  return messages(data, resources).flatMap((resource) =>
    messages(resource, scopes).flatMap((scope) => {
      const named = (scope["scope"] ?? {}) as Message;
      const around = {
        resource: attributesOf((resource["resource"] ?? {}) as Message),
        scope: { name: String(named["name"]), version: String(named["version"]) },
        schemaUrl: String(scope["schemaUrl"]),
      };
      return messages(scope, records).map((message) => ({ message, around }));
    }),
  );
}

function messages(message: Message, field: string): readonly Message[] {
  return (message[field] ?? []) as readonly Message[];
}

function attributesOf(message: Message): SinkAttributes {
  return Object.fromEntries(
    messages(message, "attributes").map((pair) => [String(pair["key"]), valueOf(pair["value"] as Message)]),
  );
}

function valueOf(value: Message): SinkValue {
  if (isSet(value, "stringValue")) return String(value["stringValue"]);
  if (isSet(value, "boolValue")) return value["boolValue"] === true;
  if (isSet(value, "intValue")) return integer(value["intValue"]);
  if (isSet(value, "doubleValue")) return Number(value["doubleValue"]);
  if (isSet(value, "arrayValue")) return messages(value["arrayValue"] as Message, "values").map(valueOf);
  return null;
}

/** Fields that were not sent are on the prototype. */
function isSet(message: Message, field: string): boolean {
  return Object.hasOwn(message, field) && message[field] !== null && message[field] !== undefined;
}

function hex(bytes: unknown): string {
  return Buffer.from((bytes ?? []) as Uint8Array).toString("hex");
}

function integer(value: unknown): bigint {
  return BigInt(String(value));
}
