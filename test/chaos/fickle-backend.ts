import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { TracesData } from "../otlp/oracle.ts";

/** A backend that takes two requests of three: of the others it refuses some and leaves some without an answer. */
export interface FickleBackend {
  readonly endpoint: string;
  /** Ids of the spans it has taken, in hexadecimal. */
  readonly spanIds: ReadonlySet<string>;
  /** From now on it takes everything. */
  calm(): void;
  close(): void;
}

export async function fickleBackend(random: () => number): Promise<FickleBackend> {
  const spanIds = new Set<string>();
  let isCalm = false;
  const server = createServer((request, response) => {
    void take(request, response, isCalm ? 1 : random(), spanIds);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { endpoint, spanIds, calm: () => void (isCalm = true), close };
}

async function take(
  request: IncomingMessage,
  response: ServerResponse,
  mood: number,
  spanIds: Set<string>,
): Promise<void> {
  const body = await buffer(request).catch(() => null);
  if (body === null || mood < 0.15) return; // its sender was killed, or is left waiting
  if (mood > 0.33) for (const id of idsIn(request, body)) spanIds.add(id);
  response.writeHead(mood > 0.33 ? 200 : 503, { "content-type": "application/x-protobuf" }).end();
}

function idsIn({ headers }: IncomingMessage, sent: Buffer): string[] {
  const body = headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
  const isJson = headers["content-type"]?.startsWith("application/json") === true;
  if (isJson) return Array.from(body.toString().matchAll(/"spanId":"([0-9a-f]{16})"/g), ([, id = ""]) => id);
  const { resourceSpans } = TracesData.decode(body) as unknown as Decoded;
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  return spans.map(({ spanId }) => Buffer.from(spanId).toString("hex"));
}

interface Decoded {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly { readonly spanId: Uint8Array }[] }[];
  }[];
}
