/** A store cannot be opened. The message contains the failure, its cause and its fix. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  /** Whether the disk is full or has an I/O error. If so, the collector stores runs in memory until its next start. */
  readonly isFull: boolean;

  constructor(message: string, isFull = false) {
    super(message);
    this.isFull = isFull;
  }
}
