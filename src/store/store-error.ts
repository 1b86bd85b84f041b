/** A store that cannot be opened: what, why, and what to do, in one message. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  /** The disk has no room, or fails: no setting would fix it. */
  readonly isFull: boolean;

  constructor(message: string, isFull = false) {
    super(message);
    this.isFull = isFull;
  }
}
