import type { Batch } from "./rows/batch.ts";

/** The body cannot be read, so none of its records is used. `offset`: position in the body, in bytes, at which the error was found. */
export interface Unreadable {
  readonly ok: false;
  readonly message: string;
  readonly offset: number;
}

export type ReadResult = { readonly ok: true; readonly batch: Batch } | Unreadable;

/** Result for a metrics request, of which only the data points are counted. */
export type MetricsResult = { readonly ok: true; readonly dataPoints: number } | Unreadable;

/** Result for a document whose signal is recognised by its content. */
export type DocumentResult =
  | {
      readonly ok: true;
      readonly batch: Batch;
      readonly dataPoints: number;
      /** Whether the document contains a known signal. False for a JSON object that is not OTLP. */
      readonly recognised: boolean;
    }
  | Unreadable;

/** Invalid input. Readers throw `Malformed` only internally; callers get an `Unreadable`. */
export class Malformed extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/**
 * Converts the exception of a reader into a result. A `RangeError` means that the reader read past the end of the body. Any other error
 * except `Malformed` is thrown again.
 */
export function unreadable(error: unknown, length: number): Unreadable {
  if (error instanceof Malformed) return { ok: false, message: error.message, offset: error.offset };
  if (error instanceof RangeError)
    return { ok: false, message: "the body ends in the middle of a value", offset: length };
  throw error;
}
