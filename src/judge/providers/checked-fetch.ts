import { type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { AddressGuard } from "../../support/security/addresses/address-guard.ts";

/**
 * A fetch that connects to no address its guard refuses, whatever a name resolves to at that moment; the built-in one has no such hook. It
 * takes bodies of text or bytes, and follows no redirect.
 */
export function checkedFetch(guard: AddressGuard): typeof fetch {
  return async (input, init) => {
    const asked = new Request(input, { ...init, redirect: "manual" });
    const url = new URL(asked.url);
    guard.checkUrl(url);
    const body = Buffer.from(await asked.arrayBuffer());
    const headers = Object.fromEntries(asked.headers);
    const request = url.protocol === "https:" ? httpsRequest : httpRequest;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sending = request(
        url,
        {
          method: asked.method,
          headers: { ...headers, "content-length": String(body.length) },
          lookup: guard.lookup,
          signal: asked.signal,
        },
        resolve,
      );
      sending.on("error", reject);
      sending.end(body);
    });
    const status = response.statusCode ?? 0;
    if (status >= 300 && status < 400) {
      response.destroy();
      throw new TypeError(`a redirect (${status}) is not followed`);
    }
    const isEmpty = status === 204 || status === 304;
    const stream = isEmpty ? null : (Readable.toWeb(decoded(response)) as ReadableStream<Uint8Array>);
    const { statusMessage: statusText = "" } = response;
    return new Response(stream, { status, statusText, headers: headersOf(response) });
  };
}

function decoded(response: IncomingMessage): Readable {
  const decoder = decoders[response.headers["content-encoding"] ?? ""]?.();
  if (decoder === undefined) return response;
  response.on("error", (error) => decoder.destroy(error));
  return response.pipe(decoder);
}

const decoders: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  return headers;
}
