export interface KafkaRecord {
  readonly offset: number;
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly headers: readonly (readonly [string, Uint8Array])[];
  readonly unixMs: number;
}

export interface KafkaMessage {
  readonly key: Uint8Array | string | null;
  readonly value: Uint8Array | null;
  readonly headers: Readonly<Record<string, string | Uint8Array>>;
}

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

export interface TopicOffset extends TopicPartition {
  readonly offset: number;
}

export interface KafkaBatch extends TopicPartition {
  /** Offset at which the fetch began. */
  readonly from: number;
  /**
   * Offset at which the next fetch begins. It can be higher than the last record's offset plus one, because brokers also write control
   * records.
   */
  readonly next: number;
  /** Offset after the last record of the partition. */
  readonly high: number;
  readonly records: readonly KafkaRecord[];
}

/** Callbacks for events of the group membership. Only the callback `batch` may throw. */
export interface GroupEvents {
  /**
   * Takes over the partitions that the group has assigned. Reading begins where this callback calls `seek`. For other partitions it begins
   * at the committed offsets or, without committed offsets, at the configured start.
   * @param isContinuous whether this process has been a member without interruption since the last assignment
   */
  joined(assignment: readonly TopicPartition[], isContinuous: boolean): void;
  /** Prepares for a rebalance that begins now. During this callback, offsets can still be committed. */
  leaving(): void;
  /** Records that the broker has confirmed the membership. `atMs` is the time of the request, in milliseconds of `performance.now()`. */
  alive(atMs: number): void;
  /**
   * Processes records of one partition in order. Returns the number of processed records; the remaining records are read again. To delay
   * the remaining records, the callback calls `pause` before it returns.
   * @param beat sends a heartbeat; call it periodically during long processing
   */
  batch(batch: KafkaBatch, beat: () => Promise<void>): Promise<number>;
  /** Reports the error of an operation. The port will retry the operation. */
  failed(error: Error): void;
}

/** A reader that follows a complete topic: from its first record, including new records. */
export interface Tail {
  /** Resolves when all records that were in the topic at the time of the call have been read. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

/** Kafka client of the receiver. */
export interface KafkaPort {
  /** Joins the group. After an error, joins again, until `stop` is called. */
  start(events: GroupEvents): Promise<void>;
  /**
   * Returns the offsets at which the group begins to read these partitions: the committed offsets, otherwise the start position in the
   * settings.
   */
  starts(partitions: readonly TopicPartition[]): Promise<readonly TopicOffset[]>;
  seek(at: TopicOffset): void;
  pause(partition: TopicPartition): void;
  resume(partition: TopicPartition): void;
  /** Commits the offset of the next record to read, for each partition. Rejects if the broker refuses the offsets. */
  commit(offsets: readonly TopicOffset[]): Promise<void>;
  /** Resolves when all in-sync replicas have the messages. Rejects if several attempts failed. */
  produce(topic: string, messages: readonly KafkaMessage[]): Promise<void>;
  /** Follows a topic, and creates it if it is missing. */
  tail(topic: string, retentionMs: number, onRecord: (record: KafkaRecord) => void): Promise<Tail>;
  /** Leaves the group, so that other members get the partitions at once. */
  stop(): Promise<void>;
}
