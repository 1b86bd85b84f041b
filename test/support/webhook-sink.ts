import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface Post {
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A real web server that keeps the requests that it accepts. */
export interface WebhookSink {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** All requests, also refused ones. */
  readonly requests: Post[];
  readonly accepted: Post[];
  /** Ids of the verdicts in the accepted JSON bodies. */
  verdictIds(): string[];
  status: number | "hang";
  readonly headers: Record<string, string>;
  close(): Promise<void>;
}

export async function startWebhookSink(port = 0): Promise<WebhookSink> {
  const server = createServer((request, response) => {
    void (async () => {
      const post = { headers: request.headers, body: (await buffer(request)).toString() };
      sink.requests.push(post);
      if (sink.status === "hang") return;
      if (sink.status < 300) sink.accepted.push(post);
      response.writeHead(sink.status, sink.headers).end(sink.status < 300 ? "ok" : "no");
    })();
  });
  await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
  const sink: WebhookSink = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    accepted: [],
    verdictIds: () =>
      sink.accepted.flatMap(({ body }) =>
        (JSON.parse(body) as { verdicts: { verdict_id: string }[] }).verdicts.map((one) => one.verdict_id),
      ),
    status: 200,
    headers: {},
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return sink;
}
