import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { TracesData } from "../otlp/oracle.ts";

/** A backend that does not take every request. */
export interface FickleBackend {
  readonly endpoint: string;
  /** Ids of the spans it has taken, in hexadecimal. */
  readonly spanIds: ReadonlySet<string>;
  /** From now on it takes everything. */
  calm(): void;
  close(): void;
}

/** What a backend does with a request: it takes it, refuses it with this `Retry-After`, leaves it without an answer, or breaks off. */
type Mood = "takes" | "refuses" | "refuses for now" | "is mute" | "breaks off";

/** Takes two requests of three: of the others it refuses some and leaves some without an answer. */
export function fickleBackend(random: () => number): Promise<FickleBackend> {
  return backend(() => {
    const share = random();
    if (share < 0.15) return "is mute";
    return share < 0.33 ? "refuses" : "takes";
  });
}

/** Is up, down, or refuses two requests of five with `Retry-After: 0`, each for up to two seconds, in turn. */
export function flappingBackend(random: () => number): Promise<FickleBackend> {
  const states = ["up", "refuses some", "down"] as const;
  let state = 0;
  let untilMs = 0;
  return backend(() => {
    if (performance.now() > untilMs) {
      state++;
      untilMs = performance.now() + 200 + random() * 1_800;
    }
    const now = states[state % states.length];
    if (now === "down") return "breaks off";
    return now === "refuses some" && random() < 0.4 ? "refuses for now" : "takes";
  });
}

async function backend(moodOf: () => Mood): Promise<FickleBackend> {
  const spanIds = new Set<string>();
  let isCalm = false;
  const server = createServer((request, response) => {
    void take(request, response, isCalm ? "takes" : moodOf(), spanIds);
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
  mood: Mood,
  spanIds: Set<string>,
): Promise<void> {
  const body = await buffer(request).catch(() => null);
  if (body === null || mood === "is mute") return; // its sender was killed, or is left waiting
  if (mood === "breaks off") return void request.socket.destroy();
  if (mood === "takes") for (const id of idsIn(request, body)) spanIds.add(id);
  const headers = { "content-type": "application/x-protobuf" };
  const wait = mood === "refuses for now" ? { "retry-after": "0" } : {};
  response.writeHead(mood === "takes" ? 200 : 503, { ...headers, ...wait }).end();
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
