/** A file that is written sequentially from its beginning. */
export interface DiskFile {
  /**
   * Appends bytes. If the promise rejects, none, some or all of the bytes may be in the file.
   * @param mark bytes that are written after `parts`, and that the next call overwrites
   */
  append(parts: readonly Uint8Array[], mark?: Uint8Array): Promise<void>;
  /** Resolves when the appended bytes would survive a power failure. */
  sync(): Promise<void>;
  /** Truncates the file to this length in bytes. */
  truncate(bytes: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * A folder of files. The journal accesses the file system only through this interface, so tests can make any
 * call fail.
 */
export interface Disk {
  /** Returns the names of the files in the folder. A missing folder is created. */
  list(): Promise<string[]>;
  /** Creates a file. Rejects if a file with this name exists. */
  create(name: string): Promise<DiskFile>;
  /** Opens a file for writing from its beginning. Bytes that are not overwritten stay. */
  reopen(name: string): Promise<DiskFile>;
  read(name: string): Promise<Uint8Array>;
  /** Reads exactly `bytes` bytes of a file, from offset `at`. */
  readAt(name: string, at: number, bytes: number): Promise<Uint8Array>;
  truncate(name: string, bytes: number): Promise<void>;
  rename(name: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Resolves when created, renamed and removed names would survive a power failure. */
  syncFolder(): Promise<void>;
}
