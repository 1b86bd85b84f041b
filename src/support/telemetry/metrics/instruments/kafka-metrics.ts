import type { Recorder } from "../recorder.ts";

/** State of a consumed partition. */
export interface PartitionState {
  readonly topic: string;
  readonly partition: number;
  /** Offset of the next record to read, and offset after the last existing record; -1 if unknown. */
  readonly position: number;
  readonly high: number;
  readonly span: number;
}

/** Observes the state of partitions whenever metrics are collected. */
export function observePartitions(recorder: Recorder, partitions: () => readonly PartitionState[]): void {
  recorder.observe("tracejury.kafka.lag", (report) => {
    for (const { topic, partition, position, high } of partitions())
      if (position >= 0 && high >= 0) report(Math.max(0, high - position), [topic, String(partition)]);
  });
  recorder.observe("tracejury.kafka.uncommitted", (report) => {
    for (const { topic, partition, span } of partitions()) report(span, [topic, String(partition)]);
  });
}

/** Counts a record that was read. */
export function recordKafkaRecord(recorder: Recorder, topic: string, outcome: string, bytes: number): void {
  recorder.count("tracejury.kafka.records", 1, [topic, outcome]);
  if (outcome === "accepted") recorder.count("tracejury.kafka.bytes", bytes, [topic]);
}
