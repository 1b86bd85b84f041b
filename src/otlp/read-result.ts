import type { Batch } from "./rows/batch.ts";

/** The body as a whole cannot be read. `offset` is the byte at which that showed. */
export interface Unreadable {
  readonly ok: false;
  readonly message: string;
  readonly offset: number;
}

export type ReadResult = { readonly ok: true; readonly batch: Batch } | Unreadable;

/** Metrics are only counted. */
export type MetricsResult = { readonly ok: true; readonly dataPoints: number } | Unreadable;

/** A document whose signal only its content shows. */
export type DocumentResult =
  | {
      readonly ok: true;
      readonly batch: Batch;
      readonly dataPoints: number;
      /** Whether it holds a signal at all; a JSON object without one may be anything. */
      readonly recognised: boolean;
    }
  | Unreadable;

/** Thrown inside the readers, never out of them. */
export class Malformed extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Result of a reader that threw. A `RangeError` is a read past the end of the body. */
export function unreadable(error: unknown, length: number): Unreadable {
  if (error instanceof Malformed) return { ok: false, message: error.message, offset: error.offset };
  if (error instanceof RangeError)
    return { ok: false, message: "the body ends in the middle of a value", offset: length };
  throw error;
}
