/** A line of a file, from 1; in binary files, the number of a record. */
export interface SourceLine {
  readonly file: string;
  readonly line: number;
}
