import { createServer, type Http2Server, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import protobuf from "protobufjs";
import { type Backend, Connections, GIB, ignore, pourGib, Taken } from "./backend.ts";

/** Answers, and says whether it has taken the request. */
type Trouble = (stream: ServerHttp2Stream) => boolean | Promise<boolean>;

const EMPTY = Buffer.alloc(5);
const HEAD = { ":status": 200, "content-type": "application/grpc" };

function answer(
  stream: ServerHttp2Stream,
  message: Uint8Array | null,
  trailers: Record<string, string>,
): void {
  stream.respond(HEAD, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers(trailers));
  if (message === null) stream.end();
  else stream.end(message);
}

function refusal(code: number, more: Record<string, string> = {}): Trouble {
  return (stream) => {
    answer(stream, null, { "grpc-status": String(code), "grpc-message": "not now", ...more });
    return false;
  };
}

/** A `google.rpc.Status` that asks to wait for two seconds. */
function retryInfo(code: number): string {
  const wait = protobuf.Writer.create().uint32(10).fork().uint32(8).int64(2).ldelim().finish();
  const type = "type.googleapis.com/google.rpc.RetryInfo";
  const any = protobuf.Writer.create().uint32(10).string(type).uint32(18).bytes(wait).finish();
  const written = protobuf.Writer.create().uint32(8).int32(code).uint32(26).bytes(any).finish();
  return Buffer.from(written).toString("base64");
}

function frame(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

export const grpcTroubles: Readonly<Record<string, Trouble>> = {
  slow: async (stream) => {
    await sleep(5_000);
    if (stream.destroyed) return false;
    answer(stream, EMPTY, { "grpc-status": "0" });
    return true;
  },
  "never answers": () => false,
  INVALID_ARGUMENT: refusal(3),
  "RESOURCE_EXHAUSTED with RetryInfo": refusal(8, { "grpc-status-details-bin": retryInfo(8) }),
  UNAVAILABLE: refusal(14),
  garbage: (stream) => {
    stream.session?.socket.end("\u0000\u0001garbage\r\n\r\n");
    return false;
  },
  "garbage in an OK": (stream) => {
    answer(stream, frame(Buffer.alloc(5_000, 0xff)), { "grpc-status": "0" });
    return true;
  },
  "an answer of 1 GiB": (stream) => {
    stream.respond(HEAD, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    const head = Buffer.alloc(5);
    head.writeUInt32BE(GIB, 1);
    stream.write(head);
    pourGib(stream);
    return true;
  },
};

export class GrpcBackend implements Backend {
  readonly protocol = "grpc";
  readonly taken = new Taken();
  readonly #connections = new Connections();
  #trouble: Trouble | undefined;
  #server: Http2Server | undefined;
  #port = 0;

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  fall(into: string | null): void {
    this.#trouble = into === null ? undefined : grpcTroubles[into];
  }

  async listen(): Promise<void> {
    const server = createServer();
    server.on("stream", (stream) => {
      stream.on("error", ignore);
      this.#answer(stream).catch(ignore);
    });
    server.on("connection", (socket) => this.#connections.add(socket));
    server.on("session", (session) => session.on("error", ignore));
    await new Promise<void>((resolve) => void server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async stop(): Promise<void> {
    this.#connections.cut();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  async #answer(stream: ServerHttp2Stream): Promise<void> {
    this.taken.requests++;
    const sent = await buffer(stream);
    const trouble = this.#trouble;
    const isTaken = (await trouble?.(stream)) ?? true;
    if (trouble === undefined && !stream.destroyed) answer(stream, EMPTY, { "grpc-status": "0" });
    const isCompressed = sent[0] === 1;
    if (isTaken)
      this.taken.add("application/x-protobuf", isCompressed ? "gzip" : undefined, sent.subarray(5));
  }
}
