import { messageOf } from "../../support/structures/error-message.ts";
/** There is no room: the budget is used up, or the disk is full. Trying again later may succeed. */
export class JournalFull extends Error {
  override readonly name = "JournalFull";
}

/** The disk cannot be written, for another reason than that it is full. Trying again later may succeed. */
export class JournalUnwritable extends Error {
  override readonly name = "JournalUnwritable";
}

/** A record is not on the disk as it was written: it is lost. */
export class RecordDamaged extends Error {
  override readonly name = "RecordDamaged";
}

/** Why a journal cannot be opened, for a message. */
export class JournalOpenError extends Error {
  override readonly name = "JournalOpenError";
  /** Another process has it. */
  readonly isInUse: boolean;

  constructor(message: string, isInUse = false) {
    super(message);
    this.isInUse = isInUse;
  }
}

const fullCodes: readonly unknown[] = ["ENOSPC", "EDQUOT", "EFBIG"];

/** A failure of the disk as one of the two. */
export function asJournalError(error: unknown): JournalFull | JournalUnwritable {
  if (error instanceof JournalFull || error instanceof JournalUnwritable) return error;
  const message = messageOf(error);
  return fullCodes.includes(errorCode(error))
    ? new JournalFull(`the disk is full (${message})`, { cause: error })
    : new JournalUnwritable(`the disk cannot be written (${message})`, { cause: error });
}

/** The system's code of an error, such as ENOENT. */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
