import { randomUUID } from "node:crypto";
import {
  decodeJudgement,
  decodeTraceIds,
  encodeJudgement,
  encodeTraceIds,
  type Judgement,
} from "../../journal/records/record-kinds.ts";
import { type Resumed, Resumption } from "../../journal/resumption.ts";
import type { KafkaPort, KafkaRecord, Tail } from "./port.ts";

/**
 * Maximum number of runs in each of two generations. When the current generation is full, the previous generation is dropped, and a new
 * generation begins.
 */
const HALF = 50_000;
/** Maximum number of finished traces in each of two generations. The generations are replaced in the same way as those of runs. */
const FINISHED_HALF = 200_000;
const RETENTION_MS = 24 * 60 * 60 * 1000;

interface RecordedJudgement {
  readonly judgement: Judgement;
  readonly isDelivered: boolean;
}

/** Last recorded verdict of each run. */
class Memory {
  #young = new Map<string, RecordedJudgement>();
  #old: ReadonlyMap<string, RecordedJudgement> = new Map();
  /** Ids of the current generation's runs, by trace id. */
  #youngIds = new Map<string, string[]>();
  #oldIds: ReadonlyMap<string, readonly string[]> = new Map();

  get(runId: string): RecordedJudgement | undefined {
    return this.#young.get(runId) ?? this.#old.get(runId);
  }

  runIdsOf(traceId: string): readonly string[] {
    return [...(this.#oldIds.get(traceId) ?? []), ...(this.#youngIds.get(traceId) ?? [])];
  }

  set(known: RecordedJudgement): void {
    const { runId, traceIds } = known.judgement;
    if (!this.#young.has(runId)) {
      for (const id of traceIds) {
        const ids = this.#youngIds.get(id);
        if (ids === undefined) this.#youngIds.set(id, [runId]);
        else ids.push(runId);
      }
    }
    this.#young.set(runId, known);
    if (this.#young.size < HALF) return;
    this.#old = this.#young;
    this.#oldIds = this.#youngIds;
    this.#young = new Map();
    this.#youngIds = new Map();
  }

  /** Returns all entries, oldest first, and empties the memory. */
  take(): RecordedJudgement[] {
    const all = [...this.#old.values(), ...this.#young.values()];
    this.#old = new Map();
    this.#young = new Map();
    this.#oldIds = new Map();
    this.#youngIds = new Map();
    return all;
  }
}

/**
 * Records that the processes of a consumer group share in a Kafka topic: verdicts of runs, deliveries of verdicts, and ids of finished
 * traces. Each process reads the complete topic. If a partition moves, its new owner therefore knows which verdicts were sent, and does not
 * repeat them.
 */
export class SharedRecords {
  readonly #port: KafkaPort;
  readonly #topic: string;
  readonly #self = randomUUID();
  readonly #others = new Memory();
  /** Verdicts of this process, on partitions that it still owns. They take precedence over the topic's records. */
  readonly #own = new Memory();
  #finished = new Set<string>();
  #finishedBefore: ReadonlySet<string> = new Set();
  /** Traces that this process finished. */
  #finishedHere = new Set<string>();
  #tail: Tail | undefined;

  constructor(port: KafkaPort, topic: string) {
    this.#port = port;
    this.#topic = topic;
  }

  /** Begins to follow the topic. Rejects if the topic cannot be read; the caller may then call `start` again. */
  async start(): Promise<void> {
    this.#tail ??= await this.#port.tail(this.#topic, RETENTION_MS, (record) => this.#learn(record));
  }

  /** Resolves when all records that were in the topic at the time of the call have been read. */
  async caughtUp(): Promise<void> {
    await this.#tail?.caughtUp();
  }

  async stop(): Promise<void> {
    await this.#tail?.stop();
  }

  /**
   * Treats all verdicts of this process as records of other processes. Called when other members get partitions of this process. If this
   * process later gets a partition back, it does not repeat these verdicts.
   */
  relinquish(): void {
    for (const known of this.#own.take()) this.#others.set(known);
  }

  /**
   * Returns the recorded verdict of a run that was judged before this process got the run's partition; null if there is none. `print`:
   * fingerprint of the run.
   */
  resume(runId: string, print: string): Resumed | null {
    const known = this.#own.get(runId) === undefined ? this.#others.get(runId) : undefined;
    if (known === undefined) return null;
    const recorded = { ...known.judgement, delivered: known.isDelivered ? known : null };
    return new Resumption([recorded], new Set()).resume(runId, print);
  }

  /** Ids of the trace's runs that were judged before this process got the trace's partition. */
  runIdsOf(traceId: string): readonly string[] {
    return this.#others.runIdsOf(traceId);
  }

  /**
   * Records that traces are finished. Resolves when the record is stored. Offsets after the traces' Kafka records may be committed only
   * then.
   */
  async finish(traceIds: readonly string[]): Promise<void> {
    for (const id of traceIds) {
      this.#addFinished(id);
      this.#finishedHere.add(id);
    }
    const headers = { what: "finished", from: this.#self };
    await this.#port.produce(this.#topic, [{ key: null, value: encodeTraceIds(traceIds), headers }]);
  }

  isFinishedHere(traceId: string): boolean {
    return this.#finishedHere.has(traceId);
  }

  isFinished(traceId: string): boolean {
    return this.#finished.has(traceId) || this.#finishedBefore.has(traceId);
  }

  judged(judgement: Judgement): Promise<void> {
    return this.#say("judged", judgement);
  }

  delivered(judgement: Judgement): Promise<void> {
    return this.#say("delivered", judgement);
  }

  #say(what: "judged" | "delivered", judgement: Judgement): Promise<void> {
    this.#own.set({ judgement, isDelivered: what === "delivered" });
    const headers = { what, from: this.#self };
    return this.#port.produce(this.#topic, [
      { key: judgement.runId, value: encodeJudgement(judgement), headers },
    ]);
  }

  #learn({ value, headers }: KafkaRecord): void {
    if (value === null || headerOf(headers, "from") === this.#self) return;
    const what = headerOf(headers, "what");
    if (what === "finished") {
      for (const id of decodeTraceIds(value)) this.#addFinished(id);
      return;
    }
    const judgement = decodeJudgement(value);
    if (judgement === null) return;
    const known = { judgement, isDelivered: what === "delivered" };
    if (isNews(known, this.#others.get(judgement.runId))) this.#others.set(known);
  }

  #addFinished(traceId: string): void {
    this.#finished.add(traceId);
    if (this.#finished.size < FINISHED_HALF) return;
    this.#finishedBefore = this.#finished;
    this.#finished = new Set();
    this.#finishedHere = new Set([...this.#finishedHere].filter((id) => this.#finishedBefore.has(id)));
  }
}

/**
 * Whether `judgement` replaces the known record `before`. True if its revision is higher, or if the revisions are equal and it does not
 * undo a delivery. Older records can follow newer ones: after an interruption, the topic is read from its beginning again.
 */
function isNews(
  { judgement, isDelivered }: RecordedJudgement,
  before: RecordedJudgement | undefined,
): boolean {
  if (before === undefined) return true;
  const [now, then] = [revisionOf(judgement), revisionOf(before.judgement)];
  return now > then || (now === then && (isDelivered || !before.isDelivered));
}

function revisionOf({ verdicts }: Judgement): number {
  return verdicts.reduce((most, { revision }) => Math.max(most, revision), 0);
}

function headerOf(headers: KafkaRecord["headers"], wanted: string): string | undefined {
  const bytes = headers.find(([name]) => name === wanted)?.[1];
  return bytes === undefined ? undefined : Buffer.from(bytes).toString();
}
