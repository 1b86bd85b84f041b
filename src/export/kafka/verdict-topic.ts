export interface VerdictMessage {
  readonly traceId: string;
  readonly verdictId: string;
  readonly revision: number;
  readonly value: Uint8Array;
}

/** A message exceeds the brokers' size limit. A retry cannot succeed. */
export class MessageTooLarge extends Error {
  override readonly name = "MessageTooLarge";
}

export interface VerdictTopic {
  /**
   * Writes messages. Resolves when the brokers have acknowledged all messages. Rejects with
   * `MessageTooLarge`, or with an error after which a retry may succeed.
   */
  produce(messages: readonly VerdictMessage[]): Promise<void>;
  /** Returns those of the keys that occur in the topic's newest messages. `messageKey` creates the keys. */
  find(keys: ReadonlySet<string>): Promise<ReadonlySet<string>>;
  close(): Promise<void>;
}

/** Returns the Kafka key of a message. A message that is sent again has the same key. */
export function messageKey({ verdictId, revision }: Pick<VerdictMessage, "verdictId" | "revision">): string {
  return `${verdictId} ${revision}`;
}
