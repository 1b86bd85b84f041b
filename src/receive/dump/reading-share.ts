/** The share of the dumps that one of several readers reads. Positions count bytes over all files. */
export interface ReadingShare {
  /** Whether what begins here is this reader's to report, when it cannot be read. */
  owns(position: number): boolean;
  /** Whether anything between the positions has to be read. */
  wants(from: number, to: number): boolean;
  /** Whether records of the file may be passed over: each is known to be a line, or to stand behind its length. */
  mayPass(file: number): boolean;
  /** Called when a record spans several lines: then no reader may skip any line. */
  spoiled(): void;
}

/** The same for one file: positions are those in its window. */
export interface RecordShare {
  /** Whether the record is passed over. */
  passes(start: number, end: number): boolean;
  spoiled(): void;
}
