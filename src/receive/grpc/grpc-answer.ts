import type { ServerHttp2Stream } from "node:http2";
import { ACCEPTED_GRPC_CODINGS } from "./grpc-head.ts";
import { clipMessage, encodeStatus, RpcCode, type RpcStatus } from "./rpc-status.ts";

const OK_HEADERS = { ":status": 200, "content-type": "application/grpc" };
const OK_TRAILERS = { "grpc-status": "0" };
const EMPTY_MESSAGE = Buffer.alloc(5);

/**
 * Whether a response can still be sent. A stream can be reset at any time. It is destroyed before its `close` event, and sending on a
 * destroyed stream throws.
 */
export function isOpen(stream: ServerHttp2Stream): boolean {
  return !stream.destroyed && !stream.closed;
}

/** Sends one response message with the status OK. */
export function sendMessage(stream: ServerHttp2Stream, message: Uint8Array): void {
  if (!isOpen(stream)) return;
  stream.respond(OK_HEADERS, { waitForTrailers: true });
  stream.on("wantTrailers", sendOkTrailers);
  stream.end(message.length === 0 ? EMPTY_MESSAGE : framed(message));
}

/** Sends an error status as a response without a message (trailers only). */
export function sendStatus(stream: ServerHttp2Stream, status: RpcStatus): void {
  if (!isOpen(stream)) return;
  const headers: Record<string, string | number> = {
    ...OK_HEADERS,
    "grpc-accept-encoding": ACCEPTED_GRPC_CODINGS,
    "grpc-status": String(status.code),
    "grpc-message": encodeURI(clipMessage(status.message)),
  };
  if (status.retryAfterS !== null || status.code === RpcCode.invalidArgument) {
    headers["grpc-status-details-bin"] = Buffer.from(encodeStatus(status)).toString("base64");
  }
  stream.respond(headers, { endStream: true });
}

function sendOkTrailers(this: ServerHttp2Stream): void {
  this.sendTrailers(OK_TRAILERS);
}

/** Returns the uncompressed message with the five-byte gRPC prefix. */
function framed(message: Uint8Array): Buffer {
  const frame = Buffer.alloc(5 + message.length);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, 5);
  return frame;
}
