import type { Transform } from "node:stream";
import * as zlib from "node:zlib";
import { documentBounds, type JsonBounds } from "../../model/json.ts";

type Decoder = (isPartial: boolean) => Transform;

const { Z_SYNC_FLUSH, Z_FINISH, BROTLI_OPERATION_FLUSH, BROTLI_OPERATION_FINISH } = zlib.constants;

const gunzip: Decoder = (isPartial) =>
  zlib.createGunzip({ finishFlush: isPartial ? Z_SYNC_FLUSH : Z_FINISH });
/** Available in Node from version 22.15. */
const { createZstdDecompress } = zlib as { readonly createZstdDecompress?: () => Transform };

const decoders: ReadonlyMap<string, Decoder> = new Map([
  ["gzip", gunzip],
  ["x-gzip", gunzip],
  ["deflate", (isPartial) => zlib.createInflate({ finishFlush: isPartial ? Z_SYNC_FLUSH : Z_FINISH })],
  [
    "br",
    (isPartial) =>
      zlib.createBrotliDecompress({
        finishFlush: isPartial ? BROTLI_OPERATION_FLUSH : BROTLI_OPERATION_FINISH,
      }),
  ],
  ...(createZstdDecompress === undefined ? [] : [["zstd", createZstdDecompress] as const]),
]);

/** Names of the supported content codings. */
export const knownCodings: readonly string[] = [...decoders.keys()];

/** Why a body could not be decoded. */
export type DecodeProblem = "unknown_coding" | "broken" | "no_room";

export interface Decoding {
  /** Whether an incomplete body is decoded as far as possible. */
  readonly isPartial: boolean;
  /** Reserves memory for more bytes; returns false if none is left. */
  readonly reserve: (bytes: number) => boolean;
}

/** Decompresses a body. Memory is reserved chunk by chunk, because a small body can become very large. */
export async function decodeBody(
  body: Buffer,
  coding: string,
  { isPartial, reserve }: Decoding,
): Promise<Buffer | DecodeProblem> {
  const name = coding.trim().toLowerCase();
  if (name === "" || name === "identity") return body;
  const decoder = decoders.get(name);
  if (decoder === undefined) return "unknown_coding";
  const stream = decoder(isPartial);
  stream.end(body);
  const pieces: Buffer[] = [];
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      if (!reserve(piece.length)) return "no_room";
      pieces.push(piece);
    }
  } catch {
    return "broken";
  }
  return Buffer.concat(pieces);
}

/**
 * Maximum number of values in a body. No real request has as many, and a body with more would need far more memory than
 * its bytes.
 */
export const bodyBounds: JsonBounds = { ...documentBounds, nodes: 4_000_000 };

const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/** Returns a body as text, without the byte order mark that some clients write before JSON. */
export function bodyText(body: Buffer): string {
  const isMarked = body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  return body.toString("utf8", isMarked ? BYTE_ORDER_MARK.length : 0);
}
