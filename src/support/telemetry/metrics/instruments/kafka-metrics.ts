import type { Recorder } from "../recorder.ts";

/** State of a Kafka partition that this process reads. */
export interface PartitionState {
  readonly topic: string;
  readonly partition: number;
  /**
   * Offset of the next record to read; -1 if unknown. `high` is the offset after the last record in the
   * partition.
   */
  readonly position: number;
  readonly high: number;
  readonly span: number;
}

export function observePartitions(recorder: Recorder, partitions: () => readonly PartitionState[]): void {
  recorder.observe("tracejury.kafka.lag", (report) => {
    for (const { topic, partition, position, high } of partitions())
      if (position >= 0 && high >= 0) report(Math.max(0, high - position), [topic, String(partition)]);
  });
  recorder.observe("tracejury.kafka.uncommitted", (report) => {
    for (const { topic, partition, span } of partitions()) report(span, [topic, String(partition)]);
  });
}

export function recordKafkaRecord(recorder: Recorder, topic: string, outcome: string, bytes: number): void {
  recorder.count("tracejury.kafka.records", 1, [topic, outcome]);
  if (outcome === "accepted") recorder.count("tracejury.kafka.bytes", bytes, [topic]);
}
