import type { Batch } from "./rows/batch.ts";

/** The whole body is unreadable. `offset` is the byte at which the error was found. */
export interface Unreadable {
  readonly ok: false;
  readonly message: string;
  readonly offset: number;
}

export type ReadResult = { readonly ok: true; readonly batch: Batch } | Unreadable;

/** Result for a metrics request, whose data points are only counted. */
export type MetricsResult = { readonly ok: true; readonly dataPoints: number } | Unreadable;

/** Result for a document whose signal is known only from its content. */
export type DocumentResult =
  | {
      readonly ok: true;
      readonly batch: Batch;
      readonly dataPoints: number;
      /**
       * Whether the document contains a known signal. A JSON object without a signal may be any other
       * document.
       */
      readonly recognised: boolean;
    }
  | Unreadable;

/** Invalid input. Thrown only inside the readers, which convert it into `Unreadable`. */
export class Malformed extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/**
 * Returns the result of a reader that threw. A `RangeError` means a read past the end of the body; other
 * errors are thrown again.
 */
export function unreadable(error: unknown, length: number): Unreadable {
  if (error instanceof Malformed) return { ok: false, message: error.message, offset: error.offset };
  if (error instanceof RangeError)
    return { ok: false, message: "the body ends in the middle of a value", offset: length };
  throw error;
}
