import { setTimeout as sleep } from "node:timers/promises";
import type { TraceEntry } from "../assemble/trace-entry.ts";
import { hexOf } from "../otlp/bytes/text.ts";
import type { AgentRun } from "../model/run.ts";
import type { Verdict } from "../model/verdict.ts";
import type { Batch } from "../otlp/rows/batch.ts";
import { JournalFull } from "./disk/errors.ts";
import type { FinishedIn, PastJudgement } from "./journal.ts";
import type { Forwarded, Judgement } from "./records/record-kinds.ts";
import { type Resumed, verdictKey } from "./resumption.ts";

/** A stored record that several traces need. It is released when no trace needs it any more. */
class Held<Place> {
  readonly position: Place;
  readonly #release: (position: Place) => void;
  #holders: number;

  constructor(position: Place, holders: number, release: (position: Place) => void) {
    this.position = position;
    this.#holders = holders;
    this.#release = release;
    if (holders === 0) release(position);
  }

  /** Records that one of the traces no longer needs this stored record. */
  drop(): void {
    if (--this.#holders === 0) this.#release(this.position);
  }
}

const GATHER_MS = 50;
/** If the sender of log records without a trace id sends no spans, these records wait for a span at most this time, in milliseconds. */
const WITHOUT_SPANS_MS = 60_000;

/** Time in milliseconds for which a failed write is retried. Afterwards processing continues without the record. */
const RETRY_FOR_MS = 30_000;
const RETRY_MS = 100;

/** The log records of a request that have no trace id. */
export interface UncorrelatedRecord {
  /** Whether a span may still arrive to which these log records belong. */
  mayJoin(): boolean;
}

/** Stores requests and other records, in segments of the journal or in Kafka. */
export interface RecordWriter<Place> {
  /** Releases a record that is no longer needed. */
  release(place: Place): void;
  /** Stores a judgement, before its verdicts are sent. Resolves when it is stored. */
  noteJudged(judgement: Judgement): Promise<Place>;
  /** Records that every destination has received, stored or dropped the verdicts of a stored judgement. */
  noteDelivered(judged: Place): Promise<Place>;
  /** Records, for some traces, that the queue of a backend contains them, or that they are not sent to the backend. */
  noteForwarded(forwarded: Forwarded): Promise<Place>;
  /** Records that no work on these traces remains. */
  finish(traceIds: readonly string[]): Promise<void>;
  makeRoom(finishedIn: FinishedIn): Promise<void>;
}

export interface DeliveryLedgerOptions<Place> {
  readonly journal: RecordWriter<Place>;
  /** Returns the verdicts of a run that an earlier process recorded; null if there are none. */
  readonly resume: (runId: string, fingerprint: string) => Resumed | null;
  /** Whether any work on a trace remains. A record that concerns only finished traces is released at once. */
  readonly isUnfinished: (traceId: string) => boolean;
  /** Maximum time in milliseconds that log records without a trace id wait for their span. */
  readonly uncorrelatedMs: number;
  /** Writes the store's buffered records. Called before verdicts count as delivered. */
  readonly flush?: () => void;
  /** Reports the error of a failed write. */
  readonly onError: (error: unknown) => void;
}

/** The records of an earlier process. */
export interface PastRecords<Place> {
  readonly judgements: readonly (Pick<PastJudgement, "traceIds"> & {
    readonly position: Place;
    readonly delivered: Place | null;
  })[];
  readonly forwarded: readonly (Forwarded & { readonly position: Place })[];
}

/** How a verdict is to be sent after a restart. */
export interface Sending {
  readonly isInFile: boolean;
  /** Whether an earlier process may already have sent the verdict. */
  readonly maybeSent: boolean;
  readonly done: () => void;
}

/** The stored judgement whose verdicts are about to be sent. */
export interface VerdictNote {
  sendingOf(verdict: Verdict): Omit<Sending, "done">;
  /**
   * Records that every destination has received, stored or dropped the verdicts. Never rejects. If the write fails, a process that is
   * restarted may send the verdicts again.
   */
  noteDelivered(): Promise<void>;
}

/** The stored records that a trace needs until the trace is finished. */
interface TraceRecords<Place> {
  /** Requests that contain spans of the trace; null while the assembler still needs the trace. */
  requests: readonly Held<Place>[] | null;
  /** Stored records about verdicts and about forwarding of the trace. */
  readonly notes: Held<Place>[];
}

/** Data about a run while it is being judged. */
interface Ticket {
  readonly fingerprint: string;
  readonly resumed: Resumed | null;
}

/**
 * Tracks which stored records each trace needs, and stores verdicts. This is the part of an accept log that is the same for journal and
 * Kafka. The states of traces are in `TraceLifecycle`.
 */
export class DeliveryLedger<Place> {
  readonly #journal: RecordWriter<Place>;
  readonly #options: DeliveryLedgerOptions<Place>;
  readonly #batches = new WeakMap<Batch, Held<Place>>();
  readonly #recordsByTraceId = new Map<string, TraceRecords<Place>>();
  readonly #tickets = new WeakMap<AgentRun, Ticket>();
  readonly #release: (position: Place) => void;
  /** Requests that contain log records without a trace id, in order of arrival. */
  #uncorrelated: {
    readonly held: Held<Place>;
    readonly uncorrelated: UncorrelatedRecord;
    readonly sinceMs: number;
  }[] = [];
  #flushing: Promise<void> | undefined;
  /** Time of the first of the consecutive failed writes; null if the last write succeeded. */
  #failingSinceMs: number | null = null;
  /** For each run, by its key, the last record that is still being written. */
  readonly #newest = new Map<string, Promise<unknown>>();

  constructor(options: DeliveryLedgerOptions<Place>) {
    const { journal } = options;
    this.#journal = journal;
    this.#options = options;
    this.#release = (position) => journal.release(position);
  }

  /** Adds the records of an earlier process. Call it after all requests of that process have been read. */
  recovered({ judgements, forwarded }: PastRecords<Place>): void {
    for (const judgement of judgements) {
      this.#hold(judgement.traceIds, judgement.position);
      if (judgement.delivered !== null) this.#hold(judgement.traceIds, judgement.delivered);
    }
    for (const { traceIds, position } of forwarded) this.#hold(traceIds, position);
  }

  /** Records that a request is stored, and that its rows are in the pipeline. */
  took(
    batch: Batch,
    position: Place,
    traces: number,
    uncorrelated: UncorrelatedRecord | null,
    nowMs: number,
  ): void {
    const held = new Held(position, traces + (uncorrelated === null ? 0 : 1), this.#release);
    if (traces > 0) this.#batches.set(batch, held);
    if (uncorrelated !== null) this.#uncorrelated.push({ held, uncorrelated, sinceMs: nowMs });
  }

  /** Records that the assembler no longer needs a trace. The ledger then retains the trace's requests until the trace is finished. */
  released(trace: TraceEntry): void {
    const requests = this.#requestsOf(trace);
    if (requests.length > 0) this.#recordsOf(hexOf(trace.id)).requests = requests;
  }

  /**
   * Finishes a trace whose evaluation ended with an internal error, because no other call would finish it. If the write fails, a process
   * that is restarted may read the trace again.
   */
  async abandoned(trace: TraceEntry): Promise<void> {
    const traceId = hexOf(trace.id);
    const { requests, notes } = this.#recordsByTraceId.get(traceId) ?? { requests: null, notes: [] };
    const records = [...(requests ?? this.#requestsOf(trace)), ...notes];
    this.#recordsByTraceId.delete(traceId);
    try {
      await this.#journal.finish([traceId]);
    } catch (error) {
      this.#options.onError(error);
    }
    this.#drop(records);
  }

  retains(traceId: string): boolean {
    return this.#recordsByTraceId.has(traceId);
  }

  /** Returns the verdicts that an earlier process recorded for a run; null if there are none. Called before the run is judged. */
  begin(run: AgentRun, fingerprint: string): Resumed | null {
    const resumed = this.#options.resume(keyOf(run), fingerprint);
    this.#tickets.set(run, { fingerprint, resumed });
    return resumed;
  }

  /**
   * Stores verdicts before they are sent: after a crash, verdicts without a record are sent again. A failed write is retried for 30 s;
   * afterwards the verdicts are sent without a record.
   * @param ending if it is aborted, a failed write rejects, and the next process judges the run
   */
  async noteVerdict(run: AgentRun, verdicts: readonly Verdict[], ending: AbortSignal): Promise<VerdictNote> {
    const { fingerprint, resumed } = this.#tickets.get(run) ?? { fingerprint: "?", resumed: null };
    const { traceIds } = run;
    const revisions = verdicts.map(({ verdictId, revision }) => ({ verdictId, revision }));
    const judgement = { runId: keyOf(run), traceIds, fingerprint, verdicts: revisions };
    const place = await this.#inTurn(judgement.runId, () => this.#noteJudged(judgement, ending));
    return {
      sendingOf: ({ verdictId, revision }) => {
        const key = verdictKey(verdictId, revision);
        const isInFile = resumed?.inFile.has(key) === true;
        return { isInFile, maybeSent: resumed?.maybeSent.has(key) === true };
      },
      noteDelivered: async () => {
        try {
          await this.#flushed();
          if (place !== null) this.#hold(traceIds, await this.#journal.noteDelivered(place));
        } catch (error) {
          this.#options.onError(error);
        }
      },
    };
  }

  /**
   * Records that traces were forwarded or dropped. Resolves when the record is stored, or when the write has failed. After a failed write,
   * a restarted process may forward the traces again.
   */
  async forwarded(forwarded: Forwarded): Promise<void> {
    try {
      this.#hold(forwarded.traceIds, await this.#journal.noteForwarded(forwarded));
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /**
   * Records that traces are finished, and releases all records that no trace needs. Call it about once a second. If the write fails,
   * returns false and releases none of these traces. Exception: on a disk that stays full, the traces are released.
   */
  async finish(traceIds: readonly string[], nowMs: number, finishedIn: FinishedIn): Promise<boolean> {
    try {
      this.#dropUncorrelated(nowMs);
      if (traceIds.length > 0) await this.#finish(traceIds);
    } catch (error) {
      this.#options.onError(error);
      return false;
    }
    await this.#journal.makeRoom(finishedIn).catch(this.#options.onError);
    return true;
  }

  async #finish(traceIds: readonly string[]): Promise<void> {
    try {
      await this.#journal.finish(traceIds);
      this.#failingSinceMs = null;
    } catch (error) {
      // On a disk that stays full, traces are released without a record that they are finished, because releasing them frees space.
      if (this.#mayWait() || !(error instanceof JournalFull)) throw error;
    }
    for (const id of traceIds) {
      const { requests, notes } = this.#recordsByTraceId.get(id) ?? { requests: null, notes: [] };
      this.#recordsByTraceId.delete(id);
      this.#drop([...(requests ?? []), ...notes]);
    }
  }

  /**
   * Drops each record once. If a record were dropped twice, it would be released while other traces need it. A record that cannot be
   * released stays until the next process starts.
   */
  #drop(records: readonly Held<Place>[]): void {
    for (const record of records) {
      try {
        record.drop();
      } catch (error) {
        this.#options.onError(error);
      }
    }
  }

  /** Returns the positions of the requests that contain spans of a trace. */
  placesOf(trace: TraceEntry): readonly Place[] {
    return this.#requestsOf(trace).map(({ position }) => position);
  }

  #requestsOf(trace: TraceEntry): Held<Place>[] {
    return trace.shares.flatMap(({ batch }) => this.#batches.get(batch) ?? []);
  }

  /** Returns the unfinished traces that the assembler no longer needs and whose requests all belong to another process (`isAnothers`). */
  releasedOf(isAnothers: (place: Place) => boolean): string[] {
    return [...this.#recordsByTraceId]
      .filter(([, { requests }]) => requests?.every(({ position }) => isAnothers(position)))
      .map(([traceId]) => traceId);
  }

  /** Forgets traces without recording them as finished, because another process will finish them. */
  relinquish(traceIds: ReadonlySet<string>): void {
    for (const id of traceIds) this.#recordsByTraceId.delete(id);
  }

  async #noteJudged(judgement: Judgement, ending: AbortSignal): Promise<Place | null> {
    for (;;) {
      try {
        const position = await this.#journal.noteJudged(judgement);
        this.#failingSinceMs = null;
        this.#hold(judgement.traceIds, position);
        return position;
      } catch (error) {
        if (ending.aborted) throw error;
        this.#options.onError(error);
        // The verdicts are sent without a record. After a crash, they may be sent again.
        if (!this.#mayWait()) return null;
        await sleep(RETRY_MS);
      }
    }
  }

  /** Whether to retry a failed write. If false, processing continues without the record. */
  #mayWait(): boolean {
    this.#failingSinceMs ??= performance.now();
    return performance.now() - this.#failingSinceMs < RETRY_FOR_MS;
  }

  /** Writes the records about one run, one after another. */
  async #inTurn<Result>(key: string, write: () => Promise<Result>): Promise<Result> {
    const before = this.#newest.get(key);
    const writing = before === undefined ? write() : before.then(write, write);
    this.#newest.set(key, writing);
    try {
      return await writing;
    } finally {
      if (this.#newest.get(key) === writing) this.#newest.delete(key);
    }
  }

  /** Resolves when the store has written its buffer. Deliveries that follow each other within a short time share one write. */
  #flushed(): Promise<void> {
    return (this.#flushing ??= this.#flush());
  }

  async #flush(): Promise<void> {
    await sleep(GATHER_MS);
    this.#flushing = undefined;
    this.#options.flush?.();
  }

  /** Retains a record until its traces are finished. */
  #hold(traceIds: readonly string[], position: Place): void {
    const unfinished = traceIds.filter(this.#options.isUnfinished);
    const held = new Held(position, unfinished.length, this.#release);
    for (const id of unfinished) this.#recordsOf(id).notes.push(held);
  }

  #recordsOf(traceId: string): TraceRecords<Place> {
    let records = this.#recordsByTraceId.get(traceId);
    if (records === undefined) this.#recordsByTraceId.set(traceId, (records = { requests: null, notes: [] }));
    return records;
  }

  #dropUncorrelated(nowMs: number): void {
    const { uncorrelatedMs } = this.#options;
    const dropped: Held<Place>[] = [];
    this.#uncorrelated = this.#uncorrelated.filter(({ held, uncorrelated, sinceMs }) => {
      const ageMs = nowMs - sinceMs;
      const stays =
        ageMs < uncorrelatedMs &&
        (ageMs < Math.min(uncorrelatedMs, WITHOUT_SPANS_MS) || uncorrelated.mayJoin());
      if (!stays) dropped.push(held);
      return stays;
    });
    this.#drop(dropped);
  }
}

/** Returns the key of a run. For a conversation, it is the key of the first run with a suffix. */
function keyOf({ runId, turns }: AgentRun): string {
  return turns === undefined ? runId : `${runId} conversation`;
}
