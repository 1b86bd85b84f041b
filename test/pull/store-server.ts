import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface Asked {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What a store answers: JSON with 200, or what `reply` gives. Undefined is 404. */
export type Answering = (asked: Asked) => unknown;

class Reply {
  readonly status: number;
  readonly body: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: string | Buffer, headers: Readonly<Record<string, string>>) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export function reply(
  status: number,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): unknown {
  return new Reply(status, body, headers);
}

/** A store's API on a free port, which remembers what it was asked. */
export class StoreServer {
  readonly asked: Asked[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(answering: Answering): Promise<StoreServer> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const url = new URL(request.url ?? "/", "http://store");
        const body = Buffer.concat(chunks).toString();
        const asked = { path: url.pathname, query: url.searchParams, headers: request.headers, body };
        store.asked.push(asked);
        const answer = answering(asked);
        if (answer instanceof Reply) response.writeHead(answer.status, answer.headers).end(answer.body);
        else if (answer === undefined) response.writeHead(404).end("not found");
        else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
      });
    });
    const store = new StoreServer(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return store;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
