import type { DocumentResult } from "../../../otlp/read-result.ts";

/** A record of a file: its position in the window, and its content. */
export interface Found {
  readonly result: DocumentResult;
  readonly start: number;
  readonly end: number;
  /** Line number in text files, record number in binary files, from 1. */
  readonly line: number;
}

/** Finds the records of one file. */
export interface Splitter {
  /** Returns the records that are completely in the window, in order. Call again after each fill of the window. */
  records(): Iterable<Found>;
}
