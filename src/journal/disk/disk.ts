/** A file that is written from its beginning on. */
export interface DiskFile {
  /**
   * Writes the bytes behind those written before. When it rejects, none, some or all of them may be there.
   * @param mark is written behind them, and over by the next call
   */
  append(parts: readonly Uint8Array[], mark?: Uint8Array): Promise<void>;
  /** Resolves when what was added would survive a loss of power. */
  sync(): Promise<void>;
  /** Cuts the file to this length. */
  truncate(bytes: number): Promise<void>;
  close(): Promise<void>;
}

/** One folder of files, by name. It is the journal's only access to the machine, so that tests can make any call fail. */
export interface Disk {
  /** Makes the folder if it is missing, and gives the names in it. */
  list(): Promise<string[]>;
  /** Makes a new file; rejects when there is one of this name. */
  create(name: string): Promise<DiskFile>;
  /** Opens a file to be written from its beginning: what is not written over stays. */
  reopen(name: string): Promise<DiskFile>;
  read(name: string): Promise<Uint8Array>;
  /** A part of a file, exactly as long as asked for. */
  readAt(name: string, at: number, bytes: number): Promise<Uint8Array>;
  truncate(name: string, bytes: number): Promise<void>;
  rename(name: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Resolves when the names of the files would survive a loss of power. */
  syncFolder(): Promise<void>;
}
