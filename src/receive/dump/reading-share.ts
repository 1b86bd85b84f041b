/** The part of the dumps that one of several readers decodes. Positions are byte offsets in the concatenation of all decompressed files. */
export interface ReadingShare {
  /** Whether this reader reports the errors of a record at this position. */
  owns(position: number): boolean;
  /** Whether this reader must decode a record that begins at `from` and ends at `to`. */
  wants(from: number, to: number): boolean;
  /**
   * Whether this reader may skip records of the file without decoding them. Records can be skipped only if each record has its own line, or
   * a length prefix.
   */
  mayPass(file: number): boolean;
  /**
   * Ends the division of a file by lines; after this call, no reader skips lines. Needed if a record spans several lines, shares its line
   * with another record, or is an element of an array.
   */
  spoiled(): void;
}

/** The part of one file that a reader decodes. Positions are byte offsets in the file's window. */
export interface RecordShare {
  /** Whether this reader skips the record. */
  passes(start: number, end: number): boolean;
  spoiled(): void;
}
