import type { Batch } from "./rows/batch.ts";

/** The body is unreadable, so none of its records is used. `offset` is the byte at which the error was found. */
export interface Unreadable {
  readonly ok: false;
  readonly message: string;
  readonly offset: number;
}

export type ReadResult = { readonly ok: true; readonly batch: Batch } | Unreadable;

/** Result for a metrics request. The data points are only counted. */
export type MetricsResult = { readonly ok: true; readonly dataPoints: number } | Unreadable;

/** Result for a document whose content shows its signal. */
export type DocumentResult =
  | {
      readonly ok: true;
      readonly batch: Batch;
      readonly dataPoints: number;
      /** Whether the document contains a known signal. False for a JSON object that is not OTLP. */
      readonly recognised: boolean;
    }
  | Unreadable;

/** Invalid input. Readers throw `Malformed` only internally, and convert it into `Unreadable`. */
export class Malformed extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/**
 * Converts the exception of a reader into a result. A `RangeError` means that the reader read past the end of the body; other errors are
 * thrown again.
 */
export function unreadable(error: unknown, length: number): Unreadable {
  if (error instanceof Malformed) return { ok: false, message: error.message, offset: error.offset };
  if (error instanceof RangeError)
    return { ok: false, message: "the body ends in the middle of a value", offset: length };
  throw error;
}
