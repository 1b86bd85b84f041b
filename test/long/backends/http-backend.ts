import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { type Backend, Connections, GIB, ignore, pourGib, Taken } from "./backend.ts";

/** Answers, and says whether it has taken the request. */
type Trouble = (response: ServerResponse) => boolean | Promise<boolean>;

const PROTOBUF = { "content-type": "application/x-protobuf" };

function status(code: number, headers: Record<string, string> = {}): Trouble {
  return (response) => {
    response.writeHead(code, headers).end("not now");
    return false;
  };
}

export const httpTroubles: Readonly<Record<string, Trouble>> = {
  slow: async (response) => {
    await sleep(5_000);
    response.writeHead(200).end();
    return true;
  },
  "never answers": () => false,
  400: status(400),
  "429 with Retry-After": status(429, { "retry-after": "2" }),
  503: status(503),
  garbage: (response) => {
    response.socket?.end("\u0000\u0001garbage\r\n\r\n");
    return false;
  },
  "garbage in a 200": (response) => {
    response.writeHead(200, PROTOBUF).end(Buffer.alloc(5_000, 0xff));
    return true;
  },
  "an answer of 1 GiB": (response) => {
    response.writeHead(200, { ...PROTOBUF, "content-length": String(GIB) });
    pourGib(response);
    return true;
  },
};

export class HttpBackend implements Backend {
  readonly protocol = "http";
  readonly taken = new Taken();
  readonly #connections = new Connections();
  #trouble: Trouble | undefined;
  #server: Server | undefined;
  #port = 0;

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  fall(into: string | null): void {
    this.#trouble = into === null ? undefined : httpTroubles[into];
  }

  async listen(): Promise<void> {
    const server = createServer((request, response) => {
      this.#answer(request, response).catch(ignore);
    });
    server.on("connection", (socket) => this.#connections.add(socket));
    await new Promise<void>((resolve) => void server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async stop(): Promise<void> {
    this.#connections.cut();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.taken.requests++;
    const sent = await buffer(request);
    const isTaken = (await this.#trouble?.(response)) ?? true;
    if (this.#trouble === undefined && !response.headersSent) response.writeHead(200).end();
    if (isTaken) this.taken.add(request.headers["content-type"], request.headers["content-encoding"], sent);
  }
}
