import type { Batch } from "./rows/batch.ts";

/** The whole body is unreadable. `offset` is the byte at which the error was found. */
export interface Unreadable {
  readonly ok: false;
  readonly message: string;
  readonly offset: number;
}

export type ReadResult = { readonly ok: true; readonly batch: Batch } | Unreadable;

/** Result for metrics, which are only counted. */
export type MetricsResult = { readonly ok: true; readonly dataPoints: number } | Unreadable;

/** Result for a document whose signal is known only from its content. */
export type DocumentResult =
  | {
      readonly ok: true;
      readonly batch: Batch;
      readonly dataPoints: number;
      /** Whether the document contains a signal; a JSON object without a signal may be anything. */
      readonly recognised: boolean;
    }
  | Unreadable;

/** Thrown only inside the readers; callers never receive it. */
export class Malformed extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Returns the result of a reader that threw. A `RangeError` is a read past the end of the body. */
export function unreadable(error: unknown, length: number): Unreadable {
  if (error instanceof Malformed) return { ok: false, message: error.message, offset: error.offset };
  if (error instanceof RangeError)
    return { ok: false, message: "the body ends in the middle of a value", offset: length };
  throw error;
}
