/** A verdict as a message. */
export interface VerdictMessage {
  readonly traceId: string;
  readonly verdictId: string;
  readonly revision: number;
  readonly value: Uint8Array;
}

/** Not taken, and never will be: the brokers' limit of a message's size. */
export class MessageTooLarge extends Error {
  override readonly name = "MessageTooLarge";
}

/** The topic that verdicts are written to. */
export interface VerdictTopic {
  /** Settles when the brokers have acknowledged all. Rejects with `MessageTooLarge`, or with a retryable error. */
  produce(messages: readonly VerdictMessage[]): Promise<void>;
  /** Which of these keys (`messageKey`) the newest messages of the topic hold. */
  find(keys: ReadonlySet<string>): Promise<ReadonlySet<string>>;
  close(): Promise<void>;
}

/** Tells verdicts apart: the same for whatever is sent twice. */
export function messageKey({ verdictId, revision }: Pick<VerdictMessage, "verdictId" | "revision">): string {
  return `${verdictId} ${revision}`;
}
