import { messageOf } from "../../support/structures/error-message.ts";
/** There is no space: the journal's budget is used up, or the disk is full. A retry may succeed later. */
export class JournalFull extends Error {
  override readonly name = "JournalFull";
}

/** The journal cannot be written, although the disk is not full. A retry may succeed later. */
export class JournalUnwritable extends Error {
  override readonly name = "JournalUnwritable";
}

/** A record on disk was changed after it was written. Its content is lost. */
export class RecordDamaged extends Error {
  override readonly name = "RecordDamaged";
}

/** The journal cannot be opened. The message contains the reason. */
export class JournalOpenError extends Error {
  override readonly name = "JournalOpenError";
  /** Whether the cause is that another process uses the folder. */
  readonly isInUse: boolean;

  constructor(message: string, isInUse = false) {
    super(message);
    this.isInUse = isInUse;
  }
}

const fullCodes: readonly unknown[] = ["ENOSPC", "EDQUOT", "EFBIG"];

/** Converts a disk error into a `JournalFull` or `JournalUnwritable`. */
export function asJournalError(error: unknown): JournalFull | JournalUnwritable {
  if (error instanceof JournalFull || error instanceof JournalUnwritable) return error;
  const message = messageOf(error);
  return fullCodes.includes(errorCode(error))
    ? new JournalFull(`the disk is full (${message})`, { cause: error })
    : new JournalUnwritable(`writing to the disk failed (${message})`, { cause: error });
}

/** Returns the system's error code, such as `ENOENT`; undefined if there is none. */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
