import { createServer as createHttp, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { createServer as createHttp2, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface Got {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface FakeBackend {
  readonly endpoint: string;
  /** Every request, whatever it was answered. */
  readonly got: Got[];
  /** Resolves when so many requests have come. */
  came(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** How an HTTP backend answers its n-th request, from 0. */
export type HttpAnswers = (response: ServerResponse, at: number) => void;

const ok: HttpAnswers = (response) => {
  response.writeHead(200, { "content-type": "application/x-protobuf" });
  response.end();
};

export async function httpBackend(answer: HttpAnswers = ok, port = 0): Promise<FakeBackend> {
  const got: Got[] = [];
  const waiting = new Waiting(got);
  const sockets = new Set<Socket>();
  const server = createHttp((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      got.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks) });
      answer(response, got.length - 1);
      waiting.changed();
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  onTestFinished(stop);
  const { port: real } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${real}`, got, came: (count) => waiting.for(count), stop };
}

/** What a gRPC backend answers: a message and trailers. */
export interface GrpcReply {
  readonly status: number;
  readonly trailers?: Record<string, string>;
  readonly message?: Uint8Array;
}

export async function grpcBackend(
  answer: (at: number) => GrpcReply = () => ({ status: 0 }),
): Promise<FakeBackend> {
  const got: Got[] = [];
  const waiting = new Waiting(got);
  const server = createHttp2();
  server.on("stream", (stream: ServerHttp2Stream, headers) => {
    const chunks: Buffer[] = [];
    stream.on("error", () => undefined);
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      got.push({ path: headers[":path"] ?? "", headers, body: Buffer.concat(chunks) });
      const { status, trailers = {}, message = Buffer.alloc(5) } = answer(got.length - 1);
      stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
      stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": String(status), ...trailers }));
      stream.end(message);
      waiting.changed();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const stop = (): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, got, came: (count) => waiting.for(count), stop };
}

class Waiting {
  readonly #got: readonly Got[];
  #resolve: (() => void)[] = [];

  constructor(got: readonly Got[]) {
    this.#got = got;
  }

  changed(): void {
    for (const resolve of this.#resolve.splice(0)) resolve();
  }

  async for(count: number): Promise<void> {
    while (this.#got.length < count) await new Promise<void>((resolve) => this.#resolve.push(resolve));
  }
}
