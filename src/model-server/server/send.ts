import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { drained } from "./drained.ts";
import type { StreamPiece } from "../protocols/protocol.ts";
import type { StreamFraming } from "./event-stream.ts";
import type { Disturbance } from "./responder.ts";

type Headers = Readonly<Record<string, string>>;

/** Sends a text, which is already JSON, as a complete body. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Headers = {},
): void {
  response.writeHead(status, { ...jsonHeaders(text), ...headers });
  response.end(text);
}

/** Returns the headers of a complete JSON body. */
export function jsonHeaders(text: string): OutgoingHttpHeaders {
  return { "content-type": "application/json; charset=utf-8", "content-length": Buffer.byteLength(text) };
}

/**
 * Sends a text as the body of an answer. With `disturbance`, the injected fault delays or cuts off the body.
 */
export async function sendBody(
  response: ServerResponse,
  text: string,
  { headers, disturbance = {}, signal }: Sending,
): Promise<void> {
  const { cut, delayMs } = disturbance;
  if (delayMs !== undefined) await pause(delayMs, signal);
  if (signal.aborted) return;
  if (cut === undefined) return sendText(response, 200, text, headers);
  if (cut.after === 0 && cut.how === "reset") return reset(response);
  const { "content-type": contentType } = jsonHeaders("");
  response.writeHead(200, { "content-type": contentType, ...headers });
  const bytes = Buffer.from(text);
  const after = cut.after === "half" ? Math.floor(bytes.length / 2) : cut.after;
  await write(response, bytes.subarray(0, after), signal);
  finish(response, cut.how);
}

/** Sends a stream chunk by chunk; waits while the client does not read fast enough. */
export async function sendStream(
  response: ServerResponse,
  pieces: readonly StreamPiece[],
  framing: StreamFraming,
  { headers, disturbance = {}, signal }: Sending,
): Promise<void> {
  const { cut, delayMs } = disturbance;
  if (cut?.after === 0 && cut.how === "reset") return reset(response);
  response.writeHead(200, {
    "content-type": framing.contentType,
    "cache-control": "no-cache",
    ...headers,
  });
  response.flushHeaders();
  if (framing.open !== "") response.write(framing.open);
  const end = cut?.after === "half" ? Math.floor(pieces.length / 2) : cut?.after;
  let sent = 0;
  for (const piece of pieces) {
    if (cut !== undefined && sent === end) return finish(response, cut.how);
    if (delayMs !== undefined) await pause(delayMs, signal);
    if (signal.aborted) return;
    await write(response, framing.write(piece, sent === 0), signal);
    sent++;
  }
  response.end(framing.close);
}

interface Sending {
  readonly headers: Headers;
  readonly disturbance?: Disturbance | undefined;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
}

/** Writes a text, and waits until the socket can accept further data. */
async function write(
  response: ServerResponse,
  data: string | Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  if (!signal.aborted && !response.write(data)) await drained(response, signal);
}

function finish(response: ServerResponse, how: "end" | "reset"): void {
  if (how === "end") response.end();
  else reset(response);
}

/** Resets the connection as a crashed server would, after the data that was already written is sent. */
function reset(response: ServerResponse): void {
  const { socket } = response;
  if (socket === null) return;
  if (!response.headersSent) socket.resetAndDestroy();
  else setImmediate(() => socket.write("", () => socket.resetAndDestroy()));
}

/** Resolves after `ms` milliseconds, or earlier if the client disconnects. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}
