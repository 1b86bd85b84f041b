import { promisify } from "node:util";
import * as zlib from "node:zlib";

type Decode = (
  body: Uint8Array,
  options: { readonly maxOutputLength: number; readonly finishFlush: number },
) => Promise<Buffer>;

const decoders: Readonly<Record<string, Decode | undefined>> = {
  gzip: promisify(zlib.gunzip),
  "x-gzip": promisify(zlib.gunzip),
  deflate: promisify(zlib.inflate),
  br: promisify(zlib.brotliDecompress),
  // Node has it from 22.15 on.
  zstd: "zstdDecompress" in zlib ? promisify(zlib.zstdDecompress as typeof zlib.gunzip) : undefined,
};

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;

/**
 * A body without its content coding, as far as it goes where it was cut off; null when the coding is unknown, the body is broken, or longer
 * than `mostBytes`.
 */
export async function decodeBody(
  body: Uint8Array,
  coding: string,
  mostBytes: number,
): Promise<Uint8Array | null> {
  const name = coding.trim().toLowerCase();
  if (name === "" || name === "identity") return body;
  const finishFlush = name === "br" ? BROTLI_OPERATION_FLUSH : Z_SYNC_FLUSH;
  try {
    return (await decoders[name]?.(body, { maxOutputLength: mostBytes, finishFlush })) ?? null;
  } catch {
    return null;
  }
}
