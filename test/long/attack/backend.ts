import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";

/** A backend that takes everything and counts how often each honest trace came. */
export interface CountingBackend {
  readonly endpoint: string;
  /** Ids of honest traces that came, with the number of requests they came in. */
  readonly times: ReadonlyMap<string, number>;
  close(): void;
}

/** Honest requests are small; what is larger is an attack that is sent on. */
const LARGEST = 100_000;

/** @param series what the ids of honest traces begin with */
export async function countingBackend(series: RegExp): Promise<CountingBackend> {
  const times = new Map<string, number>();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = await buffer(request).catch(() => null);
    if (sent === null) return;
    response.writeHead(200).end();
    if (sent.length > LARGEST) return;
    for (const id of idsIn(sent, request.headers["content-encoding"] === "gzip", series)) {
      times.set(id, (times.get(id) ?? 0) + 1);
    }
  };
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    times,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Every text of an honest run holds its trace's id. */
function idsIn(sent: Buffer, isZipped: boolean, series: RegExp): Set<string> {
  try {
    const text = (isZipped ? gunzipSync(sent, { maxOutputLength: LARGEST }) : sent).toString("latin1");
    return new Set(
      Array.from(text.matchAll(/question ([0-9a-f]{32})/g), ([, id = ""]) => id).filter((id) =>
        series.test(id),
      ),
    );
  } catch {
    return new Set();
  }
}
