import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";

/** A backend that accepts everything and counts the requests that contain each honest trace. */
export interface CountingBackend {
  readonly endpoint: string;
  readonly times: ReadonlyMap<string, number>;
  close(): void;
}

/** Larger requests are forwarded attacks; honest requests are smaller. */
const LARGEST = 100_000;

/** @param prefix common prefix of the ids of honest traces */
export async function countingBackend(prefix: string): Promise<CountingBackend> {
  const times = new Map<string, number>();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = await buffer(request);
    response.writeHead(200).end();
    if (sent.length > LARGEST) return;
    const isZipped = request.headers["content-encoding"] === "gzip";
    const text = (isZipped ? gunzipSync(sent, { maxOutputLength: LARGEST }) : sent).toString("latin1");
    // Each query of an honest run contains the id of its trace.
    const ids = Array.from(text.matchAll(/question ([0-9a-f]{32})/g), ([, id = ""]) => id);
    for (const id of new Set(ids)) if (id.startsWith(prefix)) times.set(id, (times.get(id) ?? 0) + 1);
  };
  const server = createServer((request, response) => void take(request, response).catch(() => undefined));
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    times,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
