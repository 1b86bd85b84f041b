/** The part of the dumps that one of several readers decodes. Positions are byte offsets over all files. */
export interface ReadingShare {
  /** Whether this reader reports the errors of a record at this position. */
  owns(position: number): boolean;
  /** Whether this reader must decode a record at these positions. */
  wants(from: number, to: number): boolean;
  /**
   * Whether this reader may skip records of the file without decoding them. Records can be skipped only if each record has its own line, or
   * a length prefix.
   */
  mayPass(file: number): boolean;
  /**
   * Ends the division of the dumps by lines, because a record spans several lines, shares its line, or is an element of an array. After
   * this call, no reader skips lines.
   */
  spoiled(): void;
}

/** The part of one file that a reader decodes. Positions are offsets in the file's window. */
export interface RecordShare {
  /** Whether this reader skips the record. */
  passes(start: number, end: number): boolean;
  spoiled(): void;
}
