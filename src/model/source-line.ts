/** A line of a file, from 1. In a binary file, the number of a record. */
export interface SourceLine {
  readonly file: string;
  readonly line: number;
}
