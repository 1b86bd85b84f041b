import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect as connectHttp2, type ClientHttp2Session, type ClientHttp2Stream } from "node:http2";
import { connect, type Socket } from "node:net";
import protobuf from "protobufjs";
import { onTestFinished, vi } from "vitest";
import type { Acceptance, Accept, ReceivedRequest, RequestOutcome } from "../../src/receive/ports.ts";
import { createReceiver, type Receiver, type ReceiverOptions } from "../../src/receive/receiver.ts";
import { eventLoopTurns } from "../support/eventually.ts";

/** What the pipeline was given. */
export interface Taken {
  readonly body: Uint8Array;
  readonly request: ReceivedRequest;
}

export interface Running {
  readonly receiver: Receiver;
  /** `host:port`. */
  readonly http: string;
  readonly grpc: string;
  readonly taken: Taken[];
  readonly outcomes: RequestOutcome[];
  readonly cuts: string[];
  /** Messages of the log. */
  readonly warnings: string[];
}

export const ACCEPTED: Acceptance = { kind: "accepted", rejected: 0, message: "" };

/** A pipeline that takes every JSON text and every protobuf, and calls what is not JSON malformed. */
export const takeAll: Accept = (body, request) => {
  if (request.encoding === "protobuf") return ACCEPTED;
  try {
    JSON.parse(new TextDecoder().decode(body));
    return ACCEPTED;
  } catch (error) {
    return { kind: "malformed", message: String(error) };
  }
};

/** A receiver on free ports, closed when the test ends. */
export async function receive(options: Partial<ReceiverOptions> = {}): Promise<Running> {
  const taken: Taken[] = [];
  const outcomes: RequestOutcome[] = [];
  const cuts: string[] = [];
  const warnings: string[] = [];
  const accept = options.accept ?? takeAll;
  const receiver = await createReceiver({
    http: "127.0.0.1:0",
    grpc: "127.0.0.1:0",
    log: { warn: (_, message) => void warnings.push(message), error: () => undefined },
    events: {
      request: (_transport, _signal, outcome) => outcomes.push(outcome),
      connectionCut: (reason) => cuts.push(reason),
    },
    ...options,
    accept: (body, request) => {
      taken.push({ body, request });
      return accept(body, request);
    },
  });
  onTestFinished(() => receiver.close(0));
  const { http, grpc } = receiver.listening;
  return { receiver, http: http ?? "", grpc: grpc ?? "", taken, outcomes, cuts, warnings };
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const agent = new Agent({ keepAlive: false });

/** One HTTP/1 request. A body given as pieces is sent chunked. */
export function send(
  address: string,
  path: string,
  headers: Record<string, string>,
  body: string | Uint8Array | readonly Uint8Array[] = "",
  method = "POST",
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(`http://${address}`);
    const request = httpRequest({ hostname, port, path, method, headers, agent }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("error", reject);
      response.on("end", () => {
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, headers, body: Buffer.concat(pieces) });
      });
    });
    request.on("error", reject);
    const whole = typeof body === "string" || body instanceof Uint8Array;
    for (const piece of whole ? [] : body) request.write(piece);
    request.end(whole ? body : undefined);
  });
}

export const JSON_TYPE = { "content-type": "application/json" };
export const PROTOBUF_TYPE = { "content-type": "application/x-protobuf" };

const proto = new protobuf.Root();
proto.resolvePath = (_origin, target) =>
  target.startsWith("google/") ? target : new URL(`../../proto/${target}`, import.meta.url).pathname;
for (const file of ["status", "collector-trace", "collector-logs", "collector-metrics"]) {
  proto.loadSync(`${file}.proto`, { keepCase: false });
}
protobuf.parse(
  `syntax = "proto3"; package google.rpc;
   message RetryInfo { Duration retry_delay = 1; message Duration { int64 seconds = 1; int32 nanos = 2; } }
   message BadRequest { repeated FieldViolation field_violations = 1;
     message FieldViolation { string field = 1; string description = 2; } }`,
  proto,
);
proto.resolveAll();

/** Decodes one of the messages in `proto/` (or a `google.rpc` detail) into plain JSON, by protobufjs. */
export function decode(type: string, bytes: Uint8Array): Record<string, unknown> {
  const found = proto.lookupType(type);
  return found.toObject(found.decode(bytes), { longs: String, bytes: String });
}

export interface RpcStatusSeen {
  readonly code: number;
  readonly message: string;
  /** By message name, without its package. */
  readonly details: Record<string, Record<string, unknown>>;
}

/** A `google.rpc.Status` as a client decodes it. */
export function decodeStatus(bytes: Uint8Array): RpcStatusSeen {
  const type = proto.lookupType("google.rpc.Status");
  const status = type.decode(bytes) as unknown as {
    code: number;
    message: string;
    details: { type_url?: string; typeUrl?: string; value: Uint8Array }[];
  };
  const details: Record<string, Record<string, unknown>> = {};
  for (const any of status.details) {
    const name = (any.type_url ?? any.typeUrl ?? "").replace("type.googleapis.com/", "");
    details[name.replace("google.rpc.", "")] = decode(name, any.value);
  }
  return { code: status.code, message: status.message, details };
}

/** The Status in an HTTP answer, by its content type. */
export function statusIn(answer: HttpAnswer): { code: number; message: string } {
  return answer.headers["content-type"] === "application/json"
    ? (JSON.parse(answer.body.toString()) as { code: number; message: string })
    : decodeStatus(answer.body);
}

export interface GrpcAnswer {
  readonly httpStatus: number;
  /** -1 when none came. */
  readonly status: number;
  readonly message: string;
  readonly headers: Record<string, unknown>;
  readonly details: RpcStatusSeen | null;
  readonly body: Buffer;
  readonly resetCode: number;
}

export const TRACE_EXPORT = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";

/** An HTTP/2 session to the receiver, closed when the test ends. */
export function session(address: string): ClientHttp2Session {
  const client = connectHttp2(`http://${address}`, { maxSessionMemory: 1000 });
  client.on("error", () => undefined);
  onTestFinished(() => client.destroy());
  return client;
}

/** Begins a gRPC call whose message the test writes. */
export function openCall(
  client: ClientHttp2Session,
  headers: Record<string, string> = {},
): ClientHttp2Stream {
  return client.request({
    ":method": "POST",
    ":path": TRACE_EXPORT,
    "content-type": "application/grpc",
    te: "trailers",
    ...headers,
  });
}

/** A message with its five-byte prefix. */
export function frame(message: Uint8Array, compressed = false): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt8(compressed ? 1 : 0, 0);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** One gRPC call with raw frames, so that broken ones can be sent. */
export function call(
  client: ClientHttp2Session,
  frames: Uint8Array,
  { path = TRACE_EXPORT, headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<GrpcAnswer> {
  return new Promise((resolve) => {
    const stream = openCall(client, { ":path": path, ...headers });
    const seen: Record<string, unknown> = {};
    const pieces: Buffer[] = [];
    stream.on("response", (head) => Object.assign(seen, head));
    stream.on("trailers", (trailers) => Object.assign(seen, trailers));
    stream.on("data", (piece: Buffer) => pieces.push(piece));
    stream.on("error", () => undefined);
    stream.on("close", () => resolve(grpcAnswer(seen, Buffer.concat(pieces), stream.rstCode)));
    stream.end(frames);
  });
}

function grpcAnswer(
  seen: Record<string, unknown>,
  frames: Buffer,
  resetCode: number | undefined,
): GrpcAnswer {
  const bin = seen["grpc-status-details-bin"];
  const message = seen["grpc-message"];
  return {
    httpStatus: Number(seen[":status"] ?? -1),
    status: Number(seen["grpc-status"] ?? -1),
    message: typeof message === "string" ? decodeURI(message) : "",
    headers: seen,
    details: typeof bin === "string" ? decodeStatus(Buffer.from(bin, "base64")) : null,
    body: frames.subarray(5),
    resetCode: resetCode ?? 0,
  };
}

/** The beginning of an OTLP/HTTP request in JSON, to be followed by its length. */
export const JSON_HEAD = "POST /v1/traces HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
export const JSON_REQUEST = `${JSON_HEAD}content-length: 2\r\n\r\n{}`;

/** A raw connection; `closed` resolves with everything that was received. */
export function rawConnection(address: string): { socket: Socket; closed: Promise<string> } {
  const { hostname, port } = new URL(`http://${address}`);
  const socket = connect({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  let received = "";
  socket.on("data", (chunk) => (received += chunk.toString("latin1")));
  const closed = new Promise<string>((resolve) => {
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(received));
  });
  return { socket, closed };
}

/** Writes, and resolves when the receiver, which runs in this process, has read it. */
export async function written(socket: Socket, bytes: string | Uint8Array): Promise<void> {
  await new Promise<void>((resolve) => void socket.write(bytes, () => resolve()));
  await eventLoopTurns();
}

/** Time of a receiver that passes only when a test lets it. */
export interface HeldTime {
  pass(ms: number): Promise<void>;
  /** Lets time pass until `event` has come. `meanwhile` is called for every sweep of the receiver. */
  passUntil(event: Promise<unknown>, meanwhile?: () => void): Promise<void>;
}

export const SWEEP_MS = 5;

/** Holds time until the test ends. To be called before the receiver is started, which sweeps every `SWEEP_MS`. */
export function holdTime(): HeldTime {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  let nowMs = 0;
  const now = vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  onTestFinished(() => {
    now.mockRestore();
    vi.useRealTimers();
  });
  const sweep = async (): Promise<void> => {
    nowMs += SWEEP_MS;
    vi.advanceTimersByTime(SWEEP_MS);
    await eventLoopTurns();
  };
  return {
    pass: async (ms) => {
      for (let passedMs = 0; passedMs < ms; passedMs += SWEEP_MS) await sweep();
    },
    passUntil: async (event, meanwhile = () => undefined) => {
      const state = { isThere: false };
      void event.then(() => (state.isThere = true));
      while (!state.isThere) {
        meanwhile();
        await sweep();
      }
    },
  };
}

const END_HEADERS = 4;

/** The frames of HTTP/2, written by hand for what no proper client sends. */
export const h2 = {
  preface: Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), h2Frame(4, 0, 0)]),
  headers: (stream: number, headers: Record<string, string>, flags = END_HEADERS) =>
    h2Frame(1, flags, stream, hpack(headers)),
  continuation: (stream: number, headers: Record<string, string>, flags = 0) =>
    h2Frame(9, flags, stream, hpack(headers)),
  data: (stream: number, bytes: Uint8Array, flags = 0) => h2Frame(0, flags, stream, bytes),
  reset: (stream: number, code: number) => h2Frame(3, 0, stream, Buffer.of(0, 0, 0, code)),
};

function h2Frame(type: number, flags: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Literals without indexing; names and values below 127 bytes. */
function hpack(headers: Record<string, string>): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.of(value.length), Buffer.from(value)]);
  return Buffer.concat(
    Object.entries(headers).flatMap(([name, value]) => [Buffer.of(0), text(name), text(value)]),
  );
}

/** The pseudo headers of a POST. */
export function posting(path: string, contentType: string): Record<string, string> {
  return {
    ":method": "POST",
    ":scheme": "http",
    ":authority": "x",
    ":path": path,
    "content-type": contentType,
  };
}
