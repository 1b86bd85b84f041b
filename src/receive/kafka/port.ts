/** A record of a partition. */
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
  /** The requested offset. */
  readonly from: number;
  /** Offset to continue from after this batch. It can be more than the last record's offset plus one, because some records belong to the broker. */
  readonly next: number;
  /** Offset after the last record of the partition. */
  readonly high: number;
  readonly records: readonly KafkaRecord[];
}

/** Callbacks of the group membership; all except `batch` must not throw. */
export interface GroupEvents {
  /**
   * The group has been divided anew; reading begins where the group has committed, unless `seek` is called now.
   * @param isContinuous whether this process was a member without a break since the last time
   */
  joined(assignment: readonly TopicPartition[], isContinuous: boolean): void;
  /** A rebalance begins: offsets can still be committed. */
  leaving(): void;
  /** The broker has confirmed that this process was a member when it was asked, at this time of `performance.now()`. */
  alive(atMs: number): void;
  /**
   * Records of one partition, in order. Gives how many of them are done with: the others are read again. It is told to `pause` before when
   * they are not to come at once.
   * @param beat to be called now and then when it takes long
   */
  batch(batch: KafkaBatch, beat: () => Promise<void>): Promise<number>;
  /** Something went wrong; it is tried again. */
  failed(error: Error): void;
}

/** Records of a whole topic, read from its beginning and then as they come. */
export interface Tail {
  /** Settles when everything has been seen that was in the topic when this was called. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

/** Everything we ask of a Kafka client. */
export interface KafkaPort {
  /** Becomes a member of the group and goes on, whatever happens, until `stop`. */
  start(events: GroupEvents): Promise<void>;
  /** Offsets from which the group reads these partitions: the committed ones, else those of the settings. */
  starts(partitions: readonly TopicPartition[]): Promise<readonly TopicOffset[]>;
  seek(at: TopicOffset): void;
  pause(partition: TopicPartition): void;
  resume(partition: TopicPartition): void;
  /** Each offset is that of the next record to read. Rejects if the broker refused them. */
  commit(offsets: readonly TopicOffset[]): Promise<void>;
  /** Resolves when all replicas have the messages; rejects after some attempts. */
  produce(topic: string, messages: readonly KafkaMessage[]): Promise<void>;
  /** Follows a topic, which is made when it is not there. */
  tail(topic: string, retentionMs: number, onRecord: (record: KafkaRecord) => void): Promise<Tail>;
  /** Leaves the group, so that others get its partitions at once. */
  stop(): Promise<void>;
}
