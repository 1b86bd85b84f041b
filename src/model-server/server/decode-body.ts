import type { Transform } from "node:stream";
import * as zlib from "node:zlib";
import { documentBounds, type JsonBounds } from "../../model/json.ts";
import { unzstd } from "../../receive/body/zstd.ts";
import { Reservation } from "../../receive/intake/reservation.ts";

type Decoder = (isPartial: boolean) => Transform;

const { Z_SYNC_FLUSH, Z_FINISH, BROTLI_OPERATION_FLUSH, BROTLI_OPERATION_FINISH } = zlib.constants;

const gunzip: Decoder = (isPartial) =>
  zlib.createGunzip({ finishFlush: isPartial ? Z_SYNC_FLUSH : Z_FINISH });
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
]);

/** Names of the supported content codings. */
export const knownCodings: readonly string[] = [...decoders.keys(), "zstd"];

/** Why a body could not be decoded. */
export type DecodeProblem = "unknown_coding" | "broken" | "too_large" | "no_room";

export interface Decoding {
  /** Whether to decode an incomplete body as far as possible, instead of returning `broken`. An incomplete zstd body is always `broken`. */
  readonly isPartial: boolean;
  /** Maximum size of the decompressed body in bytes. */
  readonly largestBytes: number;
  /** Reserves memory for more bytes; returns false if too little memory is left. */
  readonly reserve: (bytes: number) => boolean;
}

/** Decompresses a body. Reserves memory for each chunk, because a small body can become very large. */
export async function decodeBody(
  body: Buffer,
  coding: string,
  { isPartial, largestBytes, reserve }: Decoding,
): Promise<Buffer | DecodeProblem> {
  const name = coding.trim().toLowerCase();
  if (name === "" || name === "identity") return body;
  if (name === "zstd") return zstdBody(body, largestBytes, reserve);
  const decoder = decoders.get(name);
  if (decoder === undefined) return "unknown_coding";
  const stream = decoder(isPartial);
  stream.end(body);
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      sizeBytes += piece.length;
      if (sizeBytes > largestBytes) return "too_large";
      if (!reserve(piece.length)) return "no_room";
      pieces.push(piece);
    }
  } catch {
    return "broken";
  }
  return Buffer.concat(pieces);
}

const noRoom = { kind: "unavailable", retryAfterS: 1, message: "" } as const;

/** Decompresses a zstd body. Works on a copy, because the caller may still need the body. */
async function zstdBody(
  body: Buffer,
  largestBytes: number,
  reserve: Decoding["reserve"],
): Promise<Buffer | DecodeProblem> {
  const admit = (bytes: number): typeof noRoom | null => (reserve(bytes) ? null : noRoom);
  const reservation = new Reservation({ admit, release: () => undefined });
  const plain = await unzstd(new Uint8Array(body), largestBytes, reservation, () => Promise.resolve(null));
  if (plain.kind === "whole") return Buffer.from(plain.body.buffer);
  return plain.kind === "malformed" ? "broken" : plain.kind === "too_large" ? "too_large" : "no_room";
}

/**
 * Maximum number of values in a body. Real requests have fewer values. Parsing a body with more values would need far more memory than the
 * body itself.
 */
export const bodyBounds: JsonBounds = { ...documentBounds, nodes: 1_000_000 };

const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/** Returns a body as text, without the byte order mark that some clients write before JSON. */
export function bodyText(body: Buffer): string {
  const isMarked = body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  return body.toString("utf8", isMarked ? BYTE_ORDER_MARK.length : 0);
}
