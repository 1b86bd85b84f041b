import type {
  GroupEvents,
  KafkaMessage,
  KafkaPort,
  KafkaRecord,
  Tail,
  TopicOffset,
  TopicPartition,
} from "../../src/receive/kafka/port.ts";
import { eventLoopTurns } from "../support/eventually.ts";
import type { KafkaSettings } from "../../src/receive/kafka/settings.ts";

export const kafkaDefaults: KafkaSettings = {
  brokers: ["broker:9092"],
  topics: { traces: "otlp_spans", logs: "otlp_logs" },
  group: "tracejury",
  encoding: "otlp_proto",
  from: "earliest",
  clientId: "tracejury",
  sasl: null,
  tls: null,
  deadLetter: "dead",
  notes: "notes",
  sessionTimeoutMs: 30_000,
  fetchBytes: 1 << 20,
};

/** A broker with one partition of each topic, in memory. */
export class FakeBroker {
  readonly topics = new Map<string, KafkaRecord[]>();
  readonly committed = new Map<string, number>();
  readonly #followers = new Map<string, ((record: KafkaRecord) => void)[]>();

  records(topic: string): KafkaRecord[] {
    const known = this.topics.get(topic) ?? [];
    this.topics.set(topic, known);
    return known;
  }

  append(topic: string, { key, value, headers }: KafkaMessage): void {
    const records = this.records(topic);
    const asBytes = ([name, text]: [string, string | Uint8Array]): [string, Uint8Array] => [
      name,
      Buffer.from(text),
    ];
    const record: KafkaRecord = {
      offset: records.length,
      key: key === null ? null : Buffer.from(key),
      value,
      headers: Object.entries(headers).map(asBytes),
      unixMs: 1_760_000_000_000,
    };
    records.push(record);
    for (const follower of this.#followers.get(topic) ?? []) follower(record);
  }

  follow(topic: string, follower: (record: KafkaRecord) => void): void {
    for (const record of this.records(topic)) follower(record);
    this.#followers.set(topic, [...(this.#followers.get(topic) ?? []), follower]);
  }
}

/** One member of the group; the test says what happens to it. */
export class FakeMember implements KafkaPort {
  readonly #broker: FakeBroker;
  readonly #positions = new Map<string, number>();
  readonly paused = new Set<string>();
  events: GroupEvents | undefined;

  constructor(broker: FakeBroker) {
    this.#broker = broker;
  }

  async start(events: GroupEvents): Promise<void> {
    this.events = events;
  }

  /**
   * Gets these topics' only partitions, and no others; settles when they may be read.
   * @param aliveMs when the group last knew it to be a member
   */
  async join(topics: readonly string[], isContinuous = false, aliveMs = performance.now()): Promise<void> {
    for (const topic of topics) this.#positions.set(topic, this.#broker.committed.get(topic) ?? 0);
    this.events?.joined(
      topics.map((topic) => ({ topic, partition: 0 })),
      isContinuous,
    );
    this.events?.alive(aliveMs);
    await eventLoopTurns(1);
  }

  /** Reads what there is of a topic. */
  async read(topic: string): Promise<void> {
    if (this.paused.has(topic)) return;
    const all = this.#broker.records(topic);
    const rest = all.slice(this.#positions.get(topic) ?? 0);
    if (rest.length === 0) return;
    const from = this.#positions.get(topic) ?? 0;
    const batch = { topic, partition: 0, from, next: all.length, high: all.length, records: rest };
    const done = (await this.events?.batch(batch, async () => undefined)) ?? 0;
    if (done > 0) this.#positions.set(topic, from + done);
  }

  async starts(partitions: readonly TopicPartition[]): Promise<readonly TopicOffset[]> {
    return partitions.map((one) => ({ ...one, offset: this.#broker.committed.get(one.topic) ?? 0 }));
  }

  seek({ topic, offset }: TopicOffset): void {
    this.#positions.set(topic, offset);
  }

  pause({ topic }: TopicPartition): void {
    this.paused.add(topic);
  }

  resume({ topic }: TopicPartition): void {
    this.paused.delete(topic);
  }

  async commit(offsets: readonly TopicOffset[]): Promise<void> {
    for (const { topic, offset } of offsets) this.#broker.committed.set(topic, offset);
  }

  async produce(topic: string, messages: readonly KafkaMessage[]): Promise<void> {
    for (const message of messages) this.#broker.append(topic, message);
  }

  async tail(topic: string, _retentionMs: number, onRecord: (record: KafkaRecord) => void): Promise<Tail> {
    this.#broker.follow(topic, onRecord);
    return { caughtUp: async () => undefined, stop: async () => undefined };
  }

  async stop(): Promise<void> {
    this.events = undefined;
  }
}
