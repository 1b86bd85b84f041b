import { type Agent, type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { pipeline, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { escapeControls } from "../structures/control-characters.ts";
import type { AddressGuard } from "../security/addresses/address-guard.ts";

const decoders: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * The response is a redirect. Redirects are not followed, so that keys and content are sent only to
 * configured addresses.
 */
export class RedirectError extends Error {
  override readonly name = "RedirectError";
  readonly code = "REDIRECT";
  readonly status: number;

  constructor(status: number, target: string) {
    super(
      `HTTP ${status} redirects to ${target}, and Tracejury does not follow redirects: configure the address to which it redirects`,
    );
    this.status = status;
  }
}

export interface OutgoingRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | number | string[]>>;
  /**
   * Body of the request. A stream is sent with chunked encoding, or with the length in `headers`. If the stream fails, the request fails.
   */
  readonly body?: Uint8Array | Readable;
  readonly agent?: Agent;
  readonly guard?: AddressGuard | undefined;
  readonly signal?: AbortSignal;
  /** Maximum time in milliseconds for request and response, including the response's body. */
  readonly timeoutMs?: number;
}

/** The server closed a reused connection, probably because it was idle. The request can be sent again. */
class IdleConnectionClosed extends Error {}

/**
 * Sends one request. All HTTP/1.1 requests of Tracejury use this function, except requests of the OpenTelemetry SDK. gRPC requests use
 * `grpc-sender.ts`. The caller must read the response's body to its end, or destroy the response. If the server closes a reused connection
 * without a response, a request whose body is not a stream is sent again, on another connection.
 * @throws RedirectError for a redirect response
 * @throws BlockedAddressError for an address that the guard blocks
 */
export async function sendRequest(url: URL, options: OutgoingRequest): Promise<IncomingMessage> {
  for (;;) {
    try {
      return await sendOnce(url, options);
    } catch (error) {
      if (!(error instanceof IdleConnectionClosed)) throw error;
    }
  }
}

async function sendOnce(url: URL, options: OutgoingRequest): Promise<IncomingMessage> {
  const { method, headers, body, agent, guard, signal, timeoutMs } = options;
  guard?.checkUrl(url);
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  const isBuffered = body === undefined || body instanceof Uint8Array;
  let timer: NodeJS.Timeout | undefined;
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sending = request(
        url,
        {
          method,
          headers: body instanceof Uint8Array ? { ...headers, "content-length": body.length } : headers,
          ...(agent === undefined ? {} : { agent }),
          ...(guard === undefined ? {} : { lookup: guard.lookup }),
          ...(signal === undefined ? {} : { signal }),
        },
        resolve,
      );
      // This timer is cleared after the exchange, because a running timer would retain the body in memory until the time-out.
      if (timeoutMs !== undefined)
        timer = setTimeout(() => sending.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
      sending.on("error", (error: NodeJS.ErrnoException) => {
        const isClosed = error.code === "ECONNRESET" || error.code === "EPIPE";
        reject(isBuffered && isClosed && sending.reusedSocket ? new IdleConnectionClosed() : error);
      });
      // A connection can close without an error or a response, for example after status 101.
      sending.once("close", () => reject(new Error("the connection closed without a response")));
      if (isBuffered) sending.end(body);
      // No callback is needed: if the stream fails, the request is destroyed, and the promise rejects.
      else pipeline(body, sending, () => undefined);
    });
    response.once("close", () => clearTimeout(timer));
    const status = response.statusCode ?? 0;
    if (!redirects.includes(status)) return response;
    response.destroy();
    throw new RedirectError(status, shownTarget(response.headers.location, url));
  } catch (error) {
    clearTimeout(timer);
    throw error;
  }
}

const redirects: readonly number[] = [301, 302, 303, 307, 308];

/** Returns the target of a redirect without user, password and query, which may be credentials. */
function shownTarget(location: string | undefined, from: URL): string {
  if (location === undefined || !URL.canParse(location, from)) return "an invalid address";
  const { protocol, host, pathname } = new URL(location, from);
  return escapeControls(`${protocol}//${host}${pathname}`.slice(0, 200));
}

interface DirectFetchOptions {
  readonly guard?: AddressGuard | undefined;
  readonly decompresses?: boolean;
}

/**
 * Returns a `fetch` that does not follow redirects, and connects only to addresses that the guard allows. The
 * built-in `fetch` cannot check the address to which a host name resolves. Request bodies must be text or
 * bytes. Without `decompresses`, a response's body is returned as it was sent.
 */
export function directFetch({ guard, decompresses = true }: DirectFetchOptions = {}): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, { ...init, redirect: "manual" });
    const headers = new Headers(request.headers);
    const accepted = decompresses ? Object.keys(decoders).join(", ") : "identity";
    if (!headers.has("accept-encoding")) headers.set("accept-encoding", accepted);
    const hasBody = request.method !== "GET" && request.method !== "HEAD";
    const response = await sendRequest(new URL(request.url), {
      method: request.method,
      headers: Object.fromEntries(headers),
      ...(hasBody ? { body: Buffer.from(await request.arrayBuffer()) } : {}),
      signal: request.signal,
      guard,
    });
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 599) {
      response.destroy();
      throw new TypeError(`HTTP ${status} is not a valid status`);
    }
    const isEmpty = [204, 205, 304].includes(status);
    if (isEmpty) response.resume();
    const body = decompresses ? decoded(response) : response;
    const stream = isEmpty ? null : (Readable.toWeb(body) as ReadableStream<Uint8Array>);
    return new Response(stream, { status, headers: headersOf(response, decompresses) });
  };
}

/**
 * Reads the complete body.
 * @throws RangeError if the body has more than `mostBytes` bytes; the connection is then closed
 */
export async function readBody(response: Response, mostBytes: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > mostBytes) throw new RangeError(`the response is longer than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decoded(response: IncomingMessage): Readable {
  const decoder = decoders[response.headers["content-encoding"] ?? ""]?.();
  if (decoder === undefined) return response;
  response.on("error", (error) => decoder.destroy(error));
  decoder.on("close", () => response.destroy());
  return response.pipe(decoder);
}

/** Returns the response headers, adjusted to the decoded body if the body is decompressed. */
function headersOf(
  { rawHeaders, headers: { "content-encoding": coding = "" } }: IncomingMessage,
  isDecompressed: boolean,
): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  if (isDecompressed && coding in decoders) {
    headers.delete("content-encoding");
    headers.delete("content-length");
  }
  return headers;
}
