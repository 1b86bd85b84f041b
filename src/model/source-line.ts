/** A line of a file, from 1. For a binary file, `line` is the number of a record. */
export interface SourceLine {
  readonly file: string;
  readonly line: number;
}
