/** A verdict as a Kafka message. */
export interface VerdictMessage {
  readonly traceId: string;
  readonly verdictId: string;
  readonly revision: number;
  readonly value: Uint8Array;
}

/** A message exceeds the brokers' size limit, and a retry cannot succeed. */
export class MessageTooLarge extends Error {
  override readonly name = "MessageTooLarge";
}

/** The topic to which verdicts are written. */
export interface VerdictTopic {
  /**
   * Writes messages. Resolves when the brokers have acknowledged all messages. Rejects with
   * `MessageTooLarge`, or with an error after which a retry may succeed.
   */
  produce(messages: readonly VerdictMessage[]): Promise<void>;
  /**
   * Returns which of the keys occur among the newest messages of the topic. The keys are from `messageKey`.
   */
  find(keys: ReadonlySet<string>): Promise<ReadonlySet<string>>;
  close(): Promise<void>;
}

/** Returns the key of a verdict's revision. A message that is sent twice has the same key. */
export function messageKey({ verdictId, revision }: Pick<VerdictMessage, "verdictId" | "revision">): string {
  return `${verdictId} ${revision}`;
}
