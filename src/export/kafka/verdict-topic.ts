/** A verdict as a Kafka message. */
export interface VerdictMessage {
  readonly traceId: string;
  readonly verdictId: string;
  readonly revision: number;
  readonly value: Uint8Array;
}

/** A message exceeds the brokers' size limit and can never be written. */
export class MessageTooLarge extends Error {
  override readonly name = "MessageTooLarge";
}

/** The topic to which verdicts are written. */
export interface VerdictTopic {
  /**
   * Writes messages. Resolves when the brokers have acknowledged all. Rejects with `MessageTooLarge`, or with
   * a retryable error.
   */
  produce(messages: readonly VerdictMessage[]): Promise<void>;
  /** Returns which of these keys (`messageKey`) the newest messages of the topic have. */
  find(keys: ReadonlySet<string>): Promise<ReadonlySet<string>>;
  close(): Promise<void>;
}

/** Returns the key of a verdict's revision. A message that is sent twice has the same key. */
export function messageKey({ verdictId, revision }: Pick<VerdictMessage, "verdictId" | "revision">): string {
  return `${verdictId} ${revision}`;
}
