import type { Encoding, Signal } from "../../otlp/signal.ts";
import { messageOf } from "../../support/structures/error-message.ts";
import type { Acceptance, ReceivedRequest } from "../ports.ts";
import { type PoisonKind, deadLetter, putAside } from "./dead-letters.ts";
import { PartitionOffsets, type RecordPlace } from "./partition-offsets.ts";
import type { GroupEvents, KafkaBatch, KafkaPort, KafkaRecord, TopicPartition } from "./port.ts";
import type { KafkaSettings } from "./settings.ts";

/**
 * Accepts the body of a record. After the acceptance, the receiver calls `kept`. If `kept` returns true, the pipeline still needs the
 * record, and later releases the record's offset.
 */
export type AcceptRecord = (
  body: Uint8Array,
  request: ReceivedRequest,
  place: RecordPlace,
) => { readonly acceptance: Acceptance | Promise<Acceptance>; readonly kept: () => boolean };

export interface KafkaReceiverEvents {
  /** Counts a record by its outcome. Called once for each record. */
  record(topic: string, outcome: RecordOutcome, bytes: number): void;
  /** Abandons the traces of partitions that another process owns now, or may have owned since the last assignment. */
  lost(partitions: readonly PartitionOffsets[]): void;
  /**
   * Records that the broker has confirmed the membership.
   * @param atMs time of the request, in milliseconds of `performance.now()`
   */
  alive(atMs: number): void;
  /** Prepares for newly assigned partitions. They are not read before `open`. */
  gained(partitions: readonly PartitionOffsets[]): void;
  warn(details: object, message: string): void;
}

export type RecordOutcome = "accepted" | "empty" | "refused" | "dead_letter" | "left_out";

const OPEN_FROM = 64;

/** Reads records of the group's partitions, and passes them to the pipeline as fast as memory allows. */
export class KafkaReceiver implements GroupEvents {
  readonly #port: KafkaPort;
  readonly #settings: KafkaSettings;
  readonly #accept: AcceptRecord;
  readonly #events: KafkaReceiverEvents;
  readonly #partitions = new Map<string, PartitionOffsets>();
  readonly #resuming = new Set<NodeJS.Timeout>();
  readonly #encoding: Encoding;
  /** Newly assigned partitions that are not read before `open`. */
  readonly #closed = new Set<PartitionOffsets>();
  #stopped = false;
  #hasSaidKeyless = false;

  constructor(
    port: KafkaPort,
    settings: KafkaSettings,
    parts: { readonly accept: AcceptRecord; readonly events: KafkaReceiverEvents },
  ) {
    this.#port = port;
    this.#settings = settings;
    this.#accept = parts.accept;
    this.#events = parts.events;
    this.#encoding = settings.encoding === "otlp_json" ? "json" : "protobuf";
  }

  /** Partitions that this process owns now. */
  get partitions(): readonly PartitionOffsets[] {
    return [...this.#partitions.values()];
  }

  /** Whether these offsets belong to the current assignment of their partition. */
  isCurrent(offsets: PartitionOffsets): boolean {
    return this.#partitions.get(nameOf(offsets)) === offsets;
  }

  /** Stops reading records. */
  end(): void {
    this.#stopped = true;
    for (const timer of this.#resuming) clearTimeout(timer);
  }

  joined(assignment: readonly TopicPartition[], isContinuous: boolean): void {
    const mine = new Set(assignment.map(nameOf));
    const lost = this.partitions.filter((one) => !isContinuous || !mine.has(nameOf(one)));
    for (const one of lost) this.#partitions.delete(nameOf(one));
    const gained: PartitionOffsets[] = [];
    for (const { topic, partition } of assignment) {
      const kept = this.#partitions.get(nameOf({ topic, partition }));
      if (kept === undefined) {
        const offsets = new PartitionOffsets(topic, partition);
        this.#partitions.set(nameOf(offsets), offsets);
        gained.push(offsets);
        this.#closed.add(offsets);
      } else if (kept.position >= 0) this.#port.seek({ topic, partition, offset: kept.position });
      if (kept === undefined) this.#port.pause({ topic, partition });
      else if (!this.#closed.has(kept)) this.#port.resume({ topic, partition });
    }
    if (lost.length > 0) this.#events.lost(lost);
    if (gained.length > 0) this.#events.gained(gained);
  }

  /** Starts to read newly assigned partitions at the group's start offsets. Rejects if the start offsets cannot be read from the broker. */
  async open(): Promise<void> {
    const waiting = [...this.#closed];
    const starts = await this.#port.starts(waiting);
    for (const offsets of waiting) {
      this.#closed.delete(offsets);
      const start = starts.find((one) => nameOf(one) === nameOf(offsets));
      if (start === undefined || !this.isCurrent(offsets)) continue;
      offsets.position = start.offset;
      this.#port.seek(start);
      this.#port.resume(offsets);
    }
  }

  leaving(): void {
    void this.commit();
  }

  alive(atMs: number): void {
    this.#events.alive(atMs);
  }

  failed(error: Error): void {
    this.#events.warn({ err: error }, "an operation of the Kafka client failed; retrying");
  }

  /**
   * Commits, for each partition, the offset up to which all records are released. Returns false if the commit failed; call it again later.
   * Never rejects.
   */
  async commit(): Promise<boolean> {
    const due = this.partitions.flatMap((offsets) => {
      const { topic, partition, watermark } = offsets;
      return watermark > offsets.committed ? [{ offsets, topic, partition, offset: watermark }] : [];
    });
    if (due.length === 0) return true;
    try {
      await this.#port.commit(due.map(({ topic, partition, offset }) => ({ topic, partition, offset })));
    } catch {
      return false; // A rebalance is in progress, or the broker is unreachable.
    }
    for (const { offsets, offset } of due) offsets.committed = Math.max(offsets.committed, offset);
    return true;
  }

  async batch(batch: KafkaBatch, beat: () => Promise<void>): Promise<number> {
    const offsets = this.#partitions.get(nameOf(batch));
    if (offsets === undefined || this.#closed.has(offsets)) return 0;
    const { topic, partition, from, next, high, records } = batch;
    if (from !== offsets.position) {
      // The batch was fetched before a rebalance. If it were processed, the records before it would be skipped.
      this.#port.seek({ topic, partition, offset: offsets.position });
      return 0;
    }
    offsets.high = high;
    const done = await this.#takeAll(offsets, records, beat);
    const last = records[done - 1]?.offset ?? from - 1;
    offsets.position = done === records.length ? Math.max(next, from) : last + 1;
    return done;
  }

  async #takeAll(
    offsets: PartitionOffsets,
    records: readonly KafkaRecord[],
    beat: () => Promise<void>,
  ): Promise<number> {
    for (const [index, record] of records.entries()) {
      if (this.#stopped || !this.isCurrent(offsets)) return index;
      if (!(await this.#take(offsets, record, beat))) return index;
      if (index % OPEN_FROM === OPEN_FROM - 1) await beat();
    }
    return records.length;
  }

  /** Processes one record. Returns false if the record must be read again. */
  async #take(offsets: PartitionOffsets, record: KafkaRecord, beat: () => Promise<void>): Promise<boolean> {
    const { topic } = offsets;
    const { offset, value } = record;
    const place = offsets.take(offset);
    if (value === null || value.length === 0) {
      offsets.release(offset);
      this.#events.record(topic, "empty", 0);
      return true;
    }
    const signal: Signal = topic === this.#settings.topics.logs ? "logs" : "traces";
    if (signal === "traces") this.#lookAtKey(topic, record);
    const request: ReceivedRequest = {
      signal,
      encoding: this.#encoding,
      transport: "kafka",
      wireBytes: value.length,
    };
    const { settled, isKept } = await this.#settle(value, request, place);
    switch (settled.kind) {
      case "accepted":
        if (!isKept) offsets.release(offset);
        this.#events.record(topic, "accepted", value.length);
        return true;
      case "unavailable":
      case "throttled":
        offsets.giveBack(offset);
        this.#events.record(topic, "refused", value.length);
        this.#rest(offsets, settled.retryAfterS * 1000);
        return false;
      case "malformed":
      case "too_large":
      case "failed":
        await this.#putAside(offsets, record, settled.kind, settled.message, beat);
        offsets.release(offset);
        return true;
    }
  }

  /**
   * Handles the result of a record. If accepting the record threw an exception, the record goes to the dead-letter topic: an unprocessed
   * record would block its partition.
   */
  async #settle(
    value: Uint8Array,
    request: ReceivedRequest,
    place: RecordPlace,
  ): Promise<{ readonly settled: Acceptance; readonly isKept: boolean }> {
    try {
      const { acceptance, kept } = this.#accept(value, request, place);
      const settled = acceptance instanceof Promise ? await acceptance : acceptance;
      return { settled, isKept: kept() };
    } catch (error) {
      return { settled: { kind: "failed", message: `internal error: ${messageOf(error)}` }, isKept: false };
    }
  }

  /** Pauses reading of the partition for `ms` milliseconds. During the pause, the process remains a member of the group. */
  #rest(offsets: PartitionOffsets, ms: number): void {
    this.#port.pause(offsets);
    const timer = setTimeout(() => {
      this.#resuming.delete(timer);
      if (this.isCurrent(offsets)) this.#port.resume(offsets);
    }, ms);
    this.#resuming.add(timer.unref());
  }

  async #putAside(
    offsets: PartitionOffsets,
    record: KafkaRecord,
    kind: PoisonKind,
    message: string,
    beat: () => Promise<void>,
  ): Promise<void> {
    const { topic, partition } = offsets;
    const where = { topic, partition, offset: record.offset, reason: message };
    const bytes = record.value?.length ?? 0;
    const { deadLetter: to } = this.#settings;
    try {
      if (to !== null) await putAside(this.#port, to, deadLetter(offsets, record, kind, message), beat);
      this.#events.record(topic, to === null ? "left_out" : "dead_letter", bytes);
      this.#events.warn(
        where,
        to === null
          ? "a Kafka record cannot be accepted, and was dropped; to store such records, set receivers.kafka.dead_letter"
          : "a Kafka record cannot be accepted, and was written to the dead-letter topic",
      );
    } catch (error) {
      this.#events.record(topic, "left_out", bytes);
      this.#events.warn(
        { ...where, err: error },
        "a Kafka record cannot be accepted, and writing it to the dead-letter topic failed",
      );
    }
  }

  #lookAtKey(topic: string, { key }: KafkaRecord): void {
    if (this.#hasSaidKeyless || (key !== null && key.length > 0)) return;
    this.#hasSaidKeyless = true;
    this.#events.warn(
      { topic },
      "Kafka records have no key, so the spans of a trace can be in several partitions and are then judged separately: " +
        "set `partition_traces_by_id: true` in the Collector's kafka exporter",
    );
  }
}

function nameOf({ topic, partition }: TopicPartition): string {
  return `${topic} ${partition}`;
}
