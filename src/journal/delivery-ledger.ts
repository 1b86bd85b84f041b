import { setTimeout as sleep } from "node:timers/promises";
import type { TraceEntry } from "../assemble/trace-entry.ts";
import { hexOf } from "../otlp/bytes/text.ts";
import type { AgentRun } from "../model/run.ts";
import type { Verdict } from "../model/verdict.ts";
import type { Batch } from "../otlp/rows/batch.ts";
import { JournalFull } from "./disk/errors.ts";
import { Held } from "./records/held.ts";
import type { FinishedIn, PastJudgement } from "./journal.ts";
import type { Forwarded, Judgement } from "./records/record-kinds.ts";
import { type Resumed, verdictKey } from "./resumption.ts";

const GATHER_MS = 50;
/** How long log records that name no trace are retained when no span has come from where they come from. */
const STRANGERS_MS = 60_000;

/** How long notes wait for a disk that cannot be written, before things go on without them. */
const TIMEOUTS_MS = 30_000;
const RETRY_MS = 100;

/** Log records of a request that name no trace. */
export interface UncorrelatedRecord {
  /** Whether a span may still come that they belong to. */
  mayJoin(): boolean;
}

/** Where what happens is written down, and where requests lie: the journal's segments, or a partition of Kafka. */
export interface RecordWriter<Place> {
  /** Nothing needs the record any more. */
  release(place: Place): void;
  /** To be stored before the verdicts are sent out. */
  noteJudged(judgement: Judgement): Promise<Place>;
  /** Every destination has the verdicts, has them on the disk, or has given them up. */
  noteDelivered(judged: Place): Promise<Place>;
  /** A backend's queue has these traces, or they are not to get there. */
  noteForwarded(forwarded: Forwarded): Promise<Place>;
  /** Nothing more is to be done about these traces. */
  finish(traceIds: readonly string[]): Promise<void>;
  makeRoom(finishedIn: FinishedIn): Promise<void>;
}

export interface DeliveryLedgerOptions<Place> {
  readonly journal: RecordWriter<Place>;
  /** Verdict record of an earlier process for a run; null for none. */
  readonly resume: (runId: string, fingerprint: string) => Resumed | null;
  /** Whether something is still to be done about a trace; notes about others are released at once. */
  readonly isUnfinished: (traceId: string) => boolean;
  /** How long log records that name no trace are retained for the span they belong to. */
  readonly uncorrelatedMs: number;
  /** Writes what the store still gathers; called before verdicts count as delivered. */
  readonly flush?: () => void;
  /** Tells that the journal could not be written. */
  readonly onError: (error: unknown) => void;
}

/** Notes that an earlier process left. */
export interface PastRecords<Place> {
  readonly judgements: readonly (Pick<PastJudgement, "traceIds"> & {
    readonly position: Place;
    readonly delivered: Place | null;
  })[];
  readonly forwarded: readonly (Forwarded & { readonly position: Place })[];
}

/** How a verdict is to be sent out. */
export interface Sending {
  readonly isInFile: boolean;
  /** An earlier process may have sent it. */
  readonly maybeSent: boolean;
  readonly done: () => void;
}

/** Verdicts that were recorded before they are sent out. */
export interface VerdictNote {
  sendingOf(verdict: Verdict): Omit<Sending, "done">;
  /** Records that every destination has them, has them on the disk, or has given them up. Never rejects: at worst they are sent again after a crash. */
  noteDelivered(): Promise<void>;
}

/** Records retained for one trace. */
interface TraceRecords<Place> {
  /** The requests it came in; null until the assembler has released it. */
  requests: readonly Held<Place>[] | null;
  /** Records about its runs, and about where it was forwarded to. */
  readonly notes: Held<Place>[];
}

/** A run that is being judged. */
interface Ticket {
  readonly fingerprint: string;
  readonly resumed: Resumed | null;
}

/**
 * Which records which traces need, and what is recorded about their verdicts: the half of a log of accepted telemetry that does not depend on
 * where the records are. What state a trace is in is not known here.
 */
export class DeliveryLedger<Place> {
  readonly #journal: RecordWriter<Place>;
  readonly #options: DeliveryLedgerOptions<Place>;
  readonly #batches = new WeakMap<Batch, Held<Place>>();
  readonly #recordsByTraceId = new Map<string, TraceRecords<Place>>();
  readonly #tickets = new WeakMap<AgentRun, Ticket>();
  readonly #release: (position: Place) => void;
  /** Requests with log records that name no trace, in the order they came. */
  #uncorrelated: {
    readonly held: Held<Place>;
    readonly uncorrelated: UncorrelatedRecord;
    readonly sinceMs: number;
  }[] = [];
  #flushing: Promise<void> | undefined;
  /** Since when notes cannot be written; null while they can. */
  #failingSinceMs: number | null = null;
  /** By run, the newest note about it that is being written. */
  readonly #newest = new Map<string, Promise<unknown>>();

  constructor(options: DeliveryLedgerOptions<Place>) {
    const { journal } = options;
    this.#journal = journal;
    this.#options = options;
    this.#release = (position) => journal.release(position);
  }

  /** All requests of the past have been taken. */
  recovered({ judgements, forwarded }: PastRecords<Place>): void {
    for (const judgement of judgements) {
      this.#hold(judgement.traceIds, judgement.position);
      if (judgement.delivered !== null) this.#hold(judgement.traceIds, judgement.delivered);
    }
    for (const { traceIds, position } of forwarded) this.#hold(traceIds, position);
  }

  /** A request is in the journal and in the pipeline. */
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

  /** The assembler released a trace: its requests are retained until it is finished. */
  released(trace: TraceEntry): void {
    const requests = trace.shares.flatMap(({ batch }) => this.#batches.get(batch) ?? []);
    if (requests.length > 0) this.#recordsOf(hexOf(trace.id)).requests = requests;
  }

  /** Whether there are records of the trace here. */
  retains(traceId: string): boolean {
    return this.#recordsByTraceId.has(traceId);
  }

  /** A run is about to be judged. Returns what an earlier process recorded about it, if anything. */
  begin(run: AgentRun, fingerprint: string): Resumed | null {
    const resumed = this.#options.resume(keyOf(run), fingerprint);
    this.#tickets.set(run, { fingerprint, resumed });
    return resumed;
  }

  /**
   * Records verdicts before they are sent out. While nothing can be written it waits, for verdicts that are sent without a note are sent again
   * after a crash.
   * @param ending aborted when waiting is to end: rejects then, and the run is left to the next process
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

  /** Writes down that traces were sent on, or left out. Settles when that is stored, or cannot be: then they may be sent twice. */
  async forwarded(forwarded: Forwarded): Promise<void> {
    try {
      this.#hold(forwarded.traceIds, await this.#journal.noteForwarded(forwarded));
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /**
   * Records that traces are finished, and releases their records and those that nothing needs any more. To be called every second or so.
   * Returns false, and retains them, when that cannot be recorded now.
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
      // On a disk that stays full the records are released without the note: that is what makes room again.
      if (this.#mayWait() || !(error instanceof JournalFull)) throw error;
    }
    for (const id of traceIds) {
      const { requests, notes } = this.#recordsByTraceId.get(id) ?? { requests: null, notes: [] };
      for (const held of [...(requests ?? []), ...notes]) held.drop();
      this.#recordsByTraceId.delete(id);
    }
  }

  /** Positions of the requests that contain spans of a trace, as far as they are in this ledger. */
  placesOf(trace: TraceEntry): readonly Place[] {
    return trace.shares.flatMap(({ batch }) => this.#batches.get(batch)?.position ?? []);
  }

  /** Traces that the assembler has released, that are not finished, and all of whose requests are where `isAnothers` says. */
  releasedOf(isAnothers: (place: Place) => boolean): string[] {
    return [...this.#recordsByTraceId]
      .filter(([, { requests }]) => requests?.every(({ position }) => isAnothers(position)))
      .map(([traceId]) => traceId);
  }

  /** Forgets traces without finishing them. */
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
        if (!this.#mayWait()) return null; // sent all the same: at worst it is sent twice
        await sleep(RETRY_MS);
      }
    }
  }

  /** Whether what could not be written should be tried again before things go on without it. */
  #mayWait(): boolean {
    this.#failingSinceMs ??= performance.now();
    return performance.now() - this.#failingSinceMs < TIMEOUTS_MS;
  }

  /** Two notes about one run keep their order. */
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

  /** Settles when the store has written; several deliveries share one flush. */
  #flushed(): Promise<void> {
    return (this.#flushing ??= this.#flush());
  }

  async #flush(): Promise<void> {
    await sleep(GATHER_MS);
    this.#flushing = undefined;
    this.#options.flush?.();
  }

  /** Retains a note as long as one of the traces that it is about. */
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
    this.#uncorrelated = this.#uncorrelated.filter(({ held, uncorrelated, sinceMs }) => {
      const ageMs = nowMs - sinceMs;
      const stays =
        ageMs < uncorrelatedMs && (ageMs < Math.min(uncorrelatedMs, STRANGERS_MS) || uncorrelated.mayJoin());
      if (!stays) held.drop();
      return stays;
    });
  }
}

/** A conversation is identified by the id of its first run. */
function keyOf({ runId, turns }: AgentRun): string {
  return turns === undefined ? runId : `${runId} conversation`;
}
