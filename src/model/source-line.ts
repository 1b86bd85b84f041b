/** A line of a file. `line` counts from 1; in a binary file, it counts records. */
export interface SourceLine {
  readonly file: string;
  readonly line: number;
}
