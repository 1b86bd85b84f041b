/** A store that cannot be opened: what, why, and what to do, in one message. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}
