/** The share of the dumps that one of several readers reads. Positions are byte offsets over all files. */
export interface ReadingShare {
  /** Whether this reader reports the errors of a record that begins at this position. */
  owns(position: number): boolean;
  /** Whether this reader has to read a record between the two positions. */
  wants(from: number, to: number): boolean;
  /**
   * Whether this reader may skip records of the file without decoding. Requires one record per line, or
   * length-prefixed records.
   */
  mayPass(file: number): boolean;
  /** Called when a record spans several lines. After the call, no reader may skip lines. */
  spoiled(): void;
}

/** The reading share for one file. Positions are offsets in the file's window. */
export interface RecordShare {
  /** Whether this reader skips the record. */
  passes(start: number, end: number): boolean;
  spoiled(): void;
}
