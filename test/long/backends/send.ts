import { request } from "node:http";
import { connect, type ClientHttp2Session } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { agentTrace, requestAsJson, requestAsProtobuf } from "../../chaos/agent-trace.ts";
import { grpcSender, httpSender } from "../../chaos/senders.ts";
import type { Ports } from "../servers/peers.ts";
import { digest } from "./backend.ts";

export interface Sent {
  /** That were acknowledged. */
  readonly spans: Set<string>;
  readonly latenciesMs: number[];
  /** Refused, or without an answer in time. */
  untaken: number;
}

/** Sends a trace every so often for so long, over HTTP and gRPC in turn; what is refused is not sent again. */
export async function sendFor(ms: number, ports: Ports, series: number, padding = 500): Promise<Sent> {
  const sent: Sent = { spans: new Set(), latenciesMs: [], untaken: 0 };
  const senders = [httpSender(ports.http), grpcSender(ports.grpc)];
  const until = performance.now() + ms;
  for (let n = 0; performance.now() < until; n++) {
    const { root, tools } = agentTrace(series, n, 4, padding);
    const began = performance.now();
    if (await senders[n % 2]?.send([...tools, root])) {
      sent.latenciesMs.push(performance.now() - began);
      for (const { traceId, spanId } of [...tools, root]) sent.spans.add(traceId + spanId);
    } else sent.untaken++;
    await sleep(20);
  }
  for (const sender of senders) sender.close();
  return sent;
}

/** Bodies of one kind, by what they should be at the backend. */
export interface Posted {
  readonly kind: string;
  readonly digests: readonly string[];
}

const EACH = 50;

/** Sends requests of every kind; gives the digests of those bytes that a backend of this protocol should get as they are. */
export async function sendEachKind(ports: Ports, backend: "http" | "grpc"): Promise<Posted[]> {
  const posted: Posted[] = [];
  for (const [index, kind] of kinds.entries()) {
    const digests: string[] = [];
    const session = connect(`http://127.0.0.1:${ports.grpc}`); // of this kind: one that stays idle is closed
    for (let n = 0; n < EACH; n++) {
      const { root, tools } = agentTrace(9, index * EACH + n, 1 + (n % 5), n * 20);
      const plain =
        kind.encoding === "json" ? requestAsJson([root, ...tools]) : requestAsProtobuf([root, ...tools]);
      const body = kind.isGzipped ? gzipSync(plain) : plain;
      await (kind.over === "http" ? postHttp(ports.http, kind, body) : postGrpc(session, kind, body));
      digests.push(digest(body));
    }
    session.close();
    if (backend === "http" || kind.encoding === "protobuf") posted.push({ kind: nameOf(kind), digests });
  }
  return posted;
}

interface Kind {
  readonly over: "http" | "grpc";
  readonly encoding: "protobuf" | "json";
  readonly isGzipped: boolean;
}

const kinds: readonly Kind[] = [
  { over: "http", encoding: "protobuf", isGzipped: false },
  { over: "http", encoding: "protobuf", isGzipped: true },
  { over: "http", encoding: "json", isGzipped: false },
  { over: "http", encoding: "json", isGzipped: true },
  { over: "grpc", encoding: "protobuf", isGzipped: false },
  { over: "grpc", encoding: "protobuf", isGzipped: true },
];

function nameOf({ over, encoding, isGzipped }: Kind): string {
  return `${over} ${encoding}${isGzipped ? " gzip" : ""}`;
}

function postHttp(port: number, { encoding, isGzipped }: Kind, body: Uint8Array): Promise<void> {
  const headers = {
    "content-type": encoding === "json" ? "application/json" : "application/x-protobuf",
    ...(isGzipped ? { "content-encoding": "gzip" } : {}),
  };
  return new Promise((resolve, reject) => {
    const options = { port, host: "127.0.0.1", method: "POST", path: "/v1/traces", headers };
    const call = request(options, (answer) => {
      answer.resume().on("end", () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`HTTP ${answer.statusCode}`));
      });
    });
    call.on("error", reject).end(body);
  });
}

function postGrpc(session: ClientHttp2Session, { isGzipped }: Kind, body: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ":method": "POST",
      ":path": "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
      "content-type": "application/grpc",
      te: "trailers",
      ...(isGzipped ? { "grpc-encoding": "gzip" } : {}),
    });
    const head = Buffer.alloc(5);
    head.writeUInt8(isGzipped ? 1 : 0, 0);
    head.writeUInt32BE(body.length, 1);
    let status = "none";
    const take = (headers: Record<string, unknown>): void => {
      status = typeof headers["grpc-status"] === "string" ? headers["grpc-status"] : status;
    };
    stream.on("response", take).on("trailers", take).on("error", reject);
    stream.on("close", () => (status === "0" ? resolve() : reject(new Error(`gRPC ${status}`))));
    stream.resume();
    stream.write(head);
    stream.end(body);
  });
}
