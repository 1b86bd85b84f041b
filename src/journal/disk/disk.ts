/** A file that is written sequentially, from its beginning to its end. */
export interface DiskFile {
  /**
   * Appends bytes. If the promise rejects, the file may contain any part of these bytes.
   * @param mark bytes that are written after `parts`, and that the next call overwrites
   */
  append(parts: readonly Uint8Array[], mark?: Uint8Array): Promise<void>;
  /** Resolves when all appended bytes are stored so that they survive a power failure. */
  sync(): Promise<void>;
  truncate(bytes: number): Promise<void>;
  close(): Promise<void>;
}

/** A folder of files. The journal accesses the file system only through this interface, so that tests can make any call fail. */
export interface Disk {
  /** Returns the names of the files in the folder. Creates a missing folder. */
  list(): Promise<string[]>;
  /** Creates a file. Rejects if a file with this name exists. */
  create(name: string): Promise<DiskFile>;
  /** Opens an existing file for writing from its beginning. Bytes that are not overwritten remain in the file. */
  reopen(name: string): Promise<DiskFile>;
  read(name: string): Promise<Uint8Array>;
  /** Reads exactly `bytes` bytes of a file, from offset `at`. */
  readAt(name: string, at: number, bytes: number): Promise<Uint8Array>;
  truncate(name: string, bytes: number): Promise<void>;
  rename(name: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Resolves when all changes of names (created, renamed and removed files) are stored so that they survive a power failure. */
  syncFolder(): Promise<void>;
}
