import type { DocumentResult } from "../../../otlp/read-result.ts";

/** A record of a file: where it is in the window, and what it turned out to be. */
export interface Found {
  readonly result: DocumentResult;
  readonly start: number;
  readonly end: number;
  /** Counts lines of text, or records, from 1. */
  readonly line: number;
}

/** Finds the records of one file. */
export interface Splitter {
  /** The records that are whole in the window, in order; called again after each filling of the window. */
  records(): Iterable<Found>;
}
