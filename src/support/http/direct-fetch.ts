import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { AddressGuard } from "../security/addresses/address-guard.ts";
import { sendRequest } from "./send-request.ts";

/**
 * Returns a `fetch` that does not follow redirects, and connects only to addresses that the guard allows. The
 * built-in `fetch` cannot check the address to which a host name resolves. Request bodies must be text or
 * bytes.
 */
export function directFetch(guard?: AddressGuard): typeof fetch {
  return async (input, init) => {
    const asked = new Request(input, { ...init, redirect: "manual" });
    const headers = new Headers(asked.headers);
    if (!headers.has("accept-encoding")) headers.set("accept-encoding", Object.keys(decoders).join(", "));
    const hasBody = asked.method !== "GET" && asked.method !== "HEAD";
    const response = await sendRequest(new URL(asked.url), {
      method: asked.method,
      headers: Object.fromEntries(headers),
      ...(hasBody ? { body: Buffer.from(await asked.arrayBuffer()) } : {}),
      signal: asked.signal,
      guard,
    });
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 599) {
      response.destroy();
      throw new TypeError(`HTTP ${status} is not a valid status`);
    }
    const isEmpty = [204, 205, 304].includes(status);
    if (isEmpty) response.resume();
    const stream = isEmpty ? null : (Readable.toWeb(decoded(response)) as ReadableStream<Uint8Array>);
    return new Response(stream, { status, headers: headersOf(response) });
  };
}

/**
 * Reads the whole body.
 * @throws RangeError if the body is longer than `mostBytes`, after closing the connection
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

const decoders: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Returns the response headers, adjusted to the decoded body. */
function headersOf({ rawHeaders, headers: { "content-encoding": coding = "" } }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  if (coding in decoders) {
    headers.delete("content-encoding");
    headers.delete("content-length");
  }
  return headers;
}
