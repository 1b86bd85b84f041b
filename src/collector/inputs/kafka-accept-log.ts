import { once, setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { LeftOut } from "../../assemble/assembler-counts.ts";
import { hexOf } from "../../otlp/bytes/text.ts";
import type { TraceEntry } from "../../assemble/trace-entry.ts";
import { batchTraceIds, traceIdAt } from "../../journal/records/batch-traces.ts";
import { DeliveryLedger, type RecordWriter, type VerdictNote } from "../../journal/delivery-ledger.ts";
import type { Judgement } from "../../journal/records/record-kinds.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { Batch } from "../../otlp/rows/batch.ts";
import { traceOfRun } from "../../pipeline/lifecycle/run-ids.ts";
import type { TraceLifecycle } from "../../pipeline/lifecycle/trace-lifecycle.ts";
import type { Revisions } from "../../pipeline/revisions.ts";
import { SharedRecords } from "../../receive/kafka/notes.ts";
import type { PartitionOffsets, RecordPlace } from "../../receive/kafka/partition-offsets.ts";
import type { KafkaPort } from "../../receive/kafka/port.ts";
import { type AcceptRecord, KafkaReceiver, type RecordOutcome } from "../../receive/kafka/receiver.ts";
import type { KafkaSettings } from "../../receive/kafka/settings.ts";
import type { Log } from "../../support/telemetry/log/log.ts";
import type { AcceptLog } from "./accept-log.ts";
import { beginRecorded, takeRecorded } from "./recorded-input.ts";
import type { Engine } from "../../replay/engine.ts";

export interface KafkaAcceptLogOptions {
  readonly settings: KafkaSettings;
  readonly port: KafkaPort;
  /** Maximum milliseconds that log records without a trace id wait for the span that they belong to. */
  readonly uncorrelatedMs: number;
  readonly revisions: Revisions;
  readonly lifecycle: TraceLifecycle;
  /** Makes the store write its buffered records. */
  readonly flush: () => void;
  readonly onRecord: (topic: string, outcome: RecordOutcome, bytes: number) => void;
  readonly log: Log;
  /** Monotonic clock in milliseconds, such as `performance.now`. */
  readonly now: () => number;
}

const SWEEP_MS = 1_000;
const ANEW_MS = 3_000;
const SURE_MS = 50;
/** Time-out in milliseconds for each step of stopping that needs a broker. */
const STOP_MS = 2_000;
/**
 * Share of the session time-out, counted from the broker's last confirmation of the membership. In this time, no other member can own this
 * process's partitions.
 */
const LEASE_SHARE = 0.8;

/** Position of a telemetry record in Kafka, or a judgement. A judgement is in another topic and is never released. */
type Place = RecordPlace | { readonly note: Judgement };

/**
 * Accept log that uses Kafka as its journal. An offset is committed when all traces with earlier records are finished. So the next owner of
 * the partition reads the records of unfinished traces again. Verdicts of a trace are not published while another process may own the
 * trace.
 */
export class KafkaAcceptLog implements AcceptLog {
  readonly isDurable = true;
  readonly #options: KafkaAcceptLogOptions;
  readonly #receiver: KafkaReceiver;
  readonly #notes: SharedRecords;
  readonly #ledger: DeliveryLedger<Place>;
  readonly #lifecycle: TraceLifecycle;
  readonly #ending = new AbortController();
  #engine: Engine | undefined;
  /** Runs that wait because it is unknown whether this process still owns their partitions. */
  #parked: { readonly run: AgentRun; readonly again: () => void }[] = [];
  #aliveMs = -Infinity;
  #isCaughtUp = false;
  #isFaulty = false;

  constructor(
    options: KafkaAcceptLogOptions,
    accepting: (take: (batch: Batch, place: RecordPlace) => void) => AcceptRecord,
  ) {
    this.#options = options;
    const { port, settings, lifecycle, log, uncorrelatedMs, flush, onRecord } = options;
    this.#lifecycle = lifecycle;
    setMaxListeners(0, this.#ending.signal);
    this.#notes = new SharedRecords(port, settings.notes);
    this.#ledger = new DeliveryLedger({
      journal: this.#notebook(),
      resume: (runId, fingerprint) => this.#notes.resume(runId, fingerprint),
      isUnfinished: (id) => lifecycle.has(id),
      uncorrelatedMs,
      flush,
      onError: (error) =>
        log.error(
          { err: error },
          "verdicts or finished traces cannot be recorded in the topic receivers.kafka.notes, so a restart may send verdicts again",
        ),
    });
    this.#receiver = new KafkaReceiver(port, settings, {
      accept: accepting((batch, place) => this.#take(batch, place)),
      events: {
        record: onRecord,
        lost: (partitions) => this.#relinquish(partitions),
        gained: (partitions) => this.#gain(partitions),
        alive: (atMs) => this.#alive(atMs),
        warn: (details, message) => {
          this.#isFaulty ||= "err" in details;
          log.warn(details, message);
        },
      },
    });
  }

  get troubles(): readonly string[] {
    if (this.#isFresh) return [];
    return [`kafka: ${this.#isFaulty ? "no connection to Kafka" : "not a member of the consumer group now"}`];
  }

  get partitions(): readonly PartitionOffsets[] {
    return this.#receiver.partitions;
  }

  /** Starts to read in the background. Retries while the brokers are unreachable. */
  start(engine: Engine): void {
    this.#engine = engine;
    void this.#begin();
  }

  async #begin(): Promise<void> {
    const { port, log } = this.#options;
    for (; !this.#isOver; await sleep(ANEW_MS, undefined, { ref: false })) {
      try {
        await this.#notes.start();
        return await port.start(this.#receiver);
      } catch (error) {
        this.#isFaulty = true;
        const { brokers } = this.#options.settings;
        log.warn(
          { brokers, reason: (error as Error).message },
          "telemetry cannot be read from Kafka; retrying. Check receivers.kafka and the brokers",
        );
      }
    }
  }

  owns(run: AgentRun): boolean {
    return this.#lifecycle.ownsAny(run.traceIds);
  }

  mayPublish(run: AgentRun, again: () => void): "now" | "later" | "never" {
    const owner = this.#lifecycle.ownerOf(run);
    if (owner === "elsewhere") return "never";
    if (owner === "unclaimed" || (this.#isFresh && this.#isCaughtUp)) return "now";
    this.#parked.push({ run, again });
    return "later";
  }

  begin(run: AgentRun): boolean {
    return beginRecorded(this.#ledger, this.#lifecycle, this.#options.revisions, run);
  }

  async noteVerdict(
    run: AgentRun,
    verdicts: readonly Verdict[],
    ending: AbortSignal,
  ): Promise<VerdictNote | null> {
    const note = await this.#untilGivenUp(this.#ledger.noteVerdict(run, verdicts, ending));
    return this.#lifecycle.ownsAny(run.traceIds) ? note : null;
  }

  /** Does nothing: telemetry from Kafka is not forwarded. */
  noteForwarded(): Promise<void> {
    return Promise.resolve();
  }

  released(trace: TraceEntry): void {
    this.#ledger.released(trace);
  }

  abandoned(trace: TraceEntry): Promise<void> {
    return this.#ledger.abandoned(trace);
  }

  retains(traceId: string): boolean {
    return this.#ledger.retains(traceId);
  }

  /**
   * Records traces as finished. Commits the offset up to which all records are finished: the first record that an unfinished trace needs.
   */
  async finish(traceIds: readonly string[]): Promise<boolean> {
    if (!this.#isFresh) return false;
    const isFinished = await this.#untilGivenUp(
      this.#ledger.finish(traceIds, this.#options.now(), () => []),
    ).catch(() => false);
    if (isFinished) await this.#untilGivenUp(this.#receiver.commit()).catch(() => undefined);
    return isFinished;
  }

  relinquish(): void {
    this.#ending.abort();
    this.#receiver.end();
    this.#drop((trace) => trace.state === "open" && this.#ledger.placesOf(trace).length > 0);
  }

  /** Leaves the consumer group. If no broker responds, the session time-out ends the membership. */
  async stop(): Promise<void> {
    const left = Promise.allSettled([this.#notes.stop(), this.#options.port.stop()]);
    await this.#untilGivenUp(left).catch(() => undefined);
  }

  get #isOver(): boolean {
    return this.#ending.signal.aborted;
  }

  /**
   * Resolves or rejects like `work`. If `work` is still pending `STOP_MS` after the process began to stop, rejects, because the broker may
   * be unreachable.
   */
  async #untilGivenUp<Result>(work: Promise<Result>): Promise<Result> {
    const { signal } = this.#ending;
    const timer = new AbortController();
    const givesUp = async (): Promise<never> => {
      if (!signal.aborted) await once(signal, "abort", { signal: timer.signal });
      await sleep(STOP_MS, undefined, { signal: timer.signal });
      throw new Error("the broker did not answer before the process stopped");
    };
    try {
      return await Promise.race([work, givesUp()]);
    } finally {
      timer.abort();
    }
  }

  get #isFresh(): boolean {
    const { now, settings } = this.#options;
    return now() - this.#aliveMs < settings.sessionTimeoutMs * LEASE_SHARE;
  }

  #take(batch: Batch, place: RecordPlace): void {
    const engine = this.#engine;
    if (engine === undefined) return;
    const traces = takeRecorded(this.#ledger, engine, batch, place, this.#options.now(), (rows, at) =>
      this.#whyLeftOut(traceIdAt(rows, at)),
    );
    if (traces === 0) return;
    const { assembler } = engine;
    const fresh = this.#lifecycle.claim([...batchTraceIds(batch)].filter((id) => assembler.has(id)));
    for (const id of fresh)
      this.#lifecycle.resumed(this.#notes.runIdsOf(id).filter((runId) => traceOfRun(runId) === id));
  }

  /**
   * Returns why a span is ignored; undefined to accept it. `finished`: the trace was finished by another process, or before a restart of
   * this process, and its records are read again. `expired`: this process finished the trace, and the span is late.
   */
  #whyLeftOut(traceId: string): LeftOut | undefined {
    if (!this.#notes.isFinished(traceId)) return undefined;
    return this.#notes.isFinishedHere(traceId) ? "expired" : "finished";
  }

  #alive(atMs: number): void {
    this.#aliveMs = Math.max(this.#aliveMs, atMs);
    this.#isFaulty = false;
    this.#unpark();
  }

  #unpark(): void {
    if (!this.#isFresh || !this.#isCaughtUp || this.#parked.length === 0) return;
    for (const { again } of this.#parked.splice(0)) again();
  }

  #gain(partitions: readonly PartitionOffsets[]): void {
    this.#options.log.info({ partitions: named(partitions) }, "Kafka assigned partitions to this process");
    this.#isCaughtUp = false;
    void this.#catchUp();
  }

  async #catchUp(): Promise<void> {
    try {
      await this.#notes.caughtUp();
      await this.#receiver.open();
      this.#isCaughtUp = true;
      this.#unpark();
    } catch (error) {
      this.#options.log.warn(
        { err: error },
        "the records of the consumer group (receivers.kafka) cannot be read; retrying",
      );
      setTimeout(() => void this.#catchUp(), SWEEP_MS).unref();
    }
  }

  #relinquish(partitions: readonly PartitionOffsets[]): void {
    const gone = new Set(partitions);
    const isAnothers = (place: Place): boolean => "note" in place || gone.has(place.offsets);
    const leaving = new Set(this.#ledger.releasedOf(isAnothers));
    const dropped = this.#drop((trace) => {
      const places = this.#ledger.placesOf(trace);
      return places.length > 0 && places.length === trace.shares.length && places.every(isAnothers);
    }, leaving);
    this.#notes.relinquish();
    this.#options.log.info(
      { partitions: named(partitions), traces: dropped },
      "Kafka partitions moved to another process, which reads their unfinished traces again",
    );
    const parked = this.#parked.splice(0);
    for (const { again } of parked) again(); // Runs of lost partitions are dropped by `again`; all other runs wait again.
  }

  #drop(which: (trace: TraceEntry) => boolean, besides: ReadonlySet<string> = new Set()): number {
    const ids = new Set(besides);
    const dropped = this.#engine?.assembler.relinquish(which, (id) => besides.has(hexOf(id)));
    for (const id of dropped ?? []) ids.add(hexOf(id));
    this.#ledger.relinquish(ids);
    this.#lifecycle.relinquish(ids);
    return ids.size;
  }

  /**
   * Records verdicts before they are sent. Retries a failed write without limit, until another process owns the traces or this process
   * ends.
   */
  async #surely(traceIds: readonly string[], note: () => Promise<void>): Promise<void> {
    const isOwnTraffic = (): boolean => !this.#isOver && this.#lifecycle.ownsAny(traceIds);
    while (isOwnTraffic()) {
      const isNoted = await note().then(
        () => true,
        () => false,
      );
      while (isOwnTraffic() && !this.#isFresh) await sleep(SURE_MS, undefined, { ref: false });
      if (isNoted) return;
    }
  }

  #notebook(): RecordWriter<Place> {
    return {
      release: (place) => {
        if ("offset" in place) place.offsets.release(place.offset);
      },
      noteJudged: async (judgement) => {
        await this.#surely(judgement.traceIds, () => this.#notes.judged(judgement));
        return { note: judgement };
      },
      noteDelivered: async (judged) => {
        if ("note" in judged) await this.#notes.delivered(judged.note);
        return judged;
      },
      noteForwarded: () => Promise.reject(new Error("telemetry from Kafka is not forwarded")),
      finish: (traceIds) => this.#notes.finish(traceIds),
      makeRoom: async () => undefined,
    };
  }
}

function named(partitions: readonly PartitionOffsets[]): string[] {
  return partitions.map(({ topic, partition }) => `${topic}/${partition}`);
}
