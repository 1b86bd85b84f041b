/** A file that is written sequentially from its beginning. */
export interface DiskFile {
  /**
   * Appends bytes. After a rejection, none, some or all of them may be in the file.
   * @param mark bytes written after them, which the next call overwrites
   */
  append(parts: readonly Uint8Array[], mark?: Uint8Array): Promise<void>;
  /** Resolves when appended bytes would survive a power failure. */
  sync(): Promise<void>;
  /** Truncates the file to this length in bytes. */
  truncate(bytes: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * A folder of files. This folder is the journal's only access to the file system, so that tests can make any
 * call fail.
 */
export interface Disk {
  /** Returns the file names in the folder. Creates the folder if it does not exist. */
  list(): Promise<string[]>;
  /** Creates a file. Rejects if a file with this name exists. */
  create(name: string): Promise<DiskFile>;
  /** Opens a file for writing from its beginning. Bytes that are not overwritten remain. */
  reopen(name: string): Promise<DiskFile>;
  read(name: string): Promise<Uint8Array>;
  /** Reads exactly `bytes` bytes of a file, from offset `at`. */
  readAt(name: string, at: number, bytes: number): Promise<Uint8Array>;
  truncate(name: string, bytes: number): Promise<void>;
  rename(name: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Resolves when the file names would survive a power failure. */
  syncFolder(): Promise<void>;
}
