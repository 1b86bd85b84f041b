/** A line of a file, from 1; in binary files records are counted. */
export interface SourceLine {
  readonly file: string;
  readonly line: number;
}
