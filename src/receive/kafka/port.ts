/** A record of a Kafka partition. */
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

/** Fetched records of a partition. */
export interface KafkaBatch extends TopicPartition {
  /** Offset from which the batch was requested. */
  readonly from: number;
  /**
   * Offset from which to read after this batch. Brokers also write control records, so the offset can exceed
   * the last record's offset plus one.
   */
  readonly next: number;
  /** Offset after the last record of the partition. */
  readonly high: number;
  readonly records: readonly KafkaRecord[];
}

/** Callbacks of the group membership. All except `batch` must not throw. */
export interface GroupEvents {
  /**
   * Called when the group has assigned partitions. Reading starts at the committed offsets, unless `seek` is
   * called now.
   * @param isContinuous whether this process has stayed a member since the last assignment
   */
  joined(assignment: readonly TopicPartition[], isContinuous: boolean): void;
  /** Called when a rebalance begins. Offsets can still be committed. */
  leaving(): void;
  /**
   * Called when the broker has confirmed the membership. `atMs` is the time of the request, in milliseconds
   * of `performance.now()`.
   */
  alive(atMs: number): void;
  /**
   * Processes records of one partition in order. Returns the number of processed records; the other records
   * are read again. To delay the repetition, the callback first calls `pause`.
   * @param beat sends a heartbeat; the callback calls it periodically during long processing
   */
  batch(batch: KafkaBatch, beat: () => Promise<void>): Promise<number>;
  /** Called with an error of an operation that is retried. */
  failed(error: Error): void;
}

/** A reader of a whole topic, from its beginning to new records. */
export interface Tail {
  /** Resolves when all records that were in the topic at the call have been read. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

/** The functions of a Kafka client that the receiver uses. */
export interface KafkaPort {
  /** Joins the group. Membership continues after any error until `stop`. */
  start(events: GroupEvents): Promise<void>;
  /**
   * Returns the offsets at which the group starts reading these partitions: the committed offsets, or the
   * position in the settings if nothing was committed.
   */
  starts(partitions: readonly TopicPartition[]): Promise<readonly TopicOffset[]>;
  seek(at: TopicOffset): void;
  pause(partition: TopicPartition): void;
  resume(partition: TopicPartition): void;
  /**
   * Commits offsets. Each offset is that of the next record to read. Rejects if the broker refuses the
   * offsets.
   */
  commit(offsets: readonly TopicOffset[]): Promise<void>;
  /** Resolves when all replicas have the messages. Rejects after several attempts. */
  produce(topic: string, messages: readonly KafkaMessage[]): Promise<void>;
  /** Follows a topic. A missing topic is created. */
  tail(topic: string, retentionMs: number, onRecord: (record: KafkaRecord) => void): Promise<Tail>;
  /** Leaves the group, so that other members get its partitions at once. */
  stop(): Promise<void>;
}
