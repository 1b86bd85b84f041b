import type { Inflated } from "./inflated.ts";
import type { Refusal } from "../ports.ts";
import type { Reservation } from "../intake/reservation.ts";
import { readZstdFrames } from "./zstd-frames.ts";
import { ZstdWorker, type Unzstd } from "./zstd-worker.ts";

/** Window size in bytes that decoders should support (RFC 8878 §3.1.1.1.2). */
const USUAL_WINDOW = 8 << 20;
const TIMEOUT_MS = 5_000;

const worker = new ZstdWorker(TIMEOUT_MS);

/**
 * Decompresses a zstd body, after checking the sizes that its frames declare. Node's own decoder is not used: in Node 24, it ends after the
 * first of several frames, without an error.
 */
export async function unzstd(
  body: Uint8Array,
  limit: number,
  reservation: Reservation,
  awaitTurn: (bytes: number) => Promise<Refusal | null>,
): Promise<Inflated> {
  const frames = readZstdFrames(body);
  if (typeof frames === "string") return { kind: "malformed", message: frames };
  const { least, most, window, declared } = frames;
  if (least > limit || window > Math.max(limit, USUAL_WINDOW)) return { kind: "too_large" };
  const expected = Math.min(most, limit);
  const refusal = (await awaitTurn(expected)) ?? reservation.grow(expected + (declared ? 0 : window));
  if (refusal !== null) return refusal;
  const result: Unzstd = await worker.run(ownCopy(body), limit, declared);
  if (result === "too_large") return { kind: "too_large" };
  return "error" in result ? { kind: "malformed", message: result.error } : { kind: "whole", body: result };
}

/** Returns the bytes as the only content of an `ArrayBuffer`, copied if necessary. Such memory can be transferred to a thread. */
function ownCopy(body: Uint8Array): Uint8Array {
  return body.byteLength === body.buffer.byteLength ? body : new Uint8Array(body);
}
