import { setTimeout as sleep } from "node:timers/promises";
import type { OpenTrace } from "../assemble/open-trace.ts";
import { hexOf } from "../otlp/bytes/text.ts";
import type { Trace } from "../assemble/trace.ts";
import type { AgentRun } from "../model/run.ts";
import type { Verdict } from "../model/verdict.ts";
import type { Batch } from "../otlp/rows/batch.ts";
import { JournalFull } from "./disk/errors.ts";
import { Held } from "./records/held.ts";
import type { FinishedIn, PastJudgement } from "./journal.ts";
import type { Forwarded, Judgement } from "./records/record-kinds.ts";
import { type Resumed, verdictKey } from "./resumption.ts";

const GATHER_MS = 50;
/** How long log records that name no trace are kept when no span has come from where they come from. */
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
  /** To be kept before the verdicts are sent out. */
  noteJudged(judgement: Judgement): Promise<Place>;
  /** Whether verdicts that were noted may be sent out: not when another process has these traces by now. Left out: always. */
  maySend?(traceIds: readonly string[]): boolean;
  /** Everybody has got the verdicts. */
  noteDelivered(judged: Place): Promise<Place>;
  /** A backend's queue has these traces, or they are not to get there. */
  noteForwarded(forwarded: Forwarded): Promise<Place>;
  /** Nothing more is to be done about these traces. */
  finish(traceIds: readonly string[]): Promise<void>;
  makeRoom(finishedIn: FinishedIn): Promise<void>;
}

export interface DeliveryLedgerOptions<Place> {
  readonly journal: RecordWriter<Place>;
  /** What an earlier process said about a run; null when nothing is known of it. */
  readonly resume: (runId: string, print: string) => Resumed | null;
  /** How long log records that name no trace are kept for the span they belong to. */
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

/** A trace that was closed. */
interface Closed<Place> {
  print: string;
  /** Runs that it is in and that are not done with. */
  openRuns: number;
  readonly held: Held<Place>[];
}

interface Leaving<Place> {
  readonly traceId: string;
  readonly held: readonly Held<Place>[];
}

/** A run that is being judged. */
interface Ticket<Place> {
  readonly traceIds: readonly string[];
  /** What was known of them: another thing when they went to another process and came back. */
  readonly closed: readonly Closed<Place>[];
  readonly print: string;
  readonly resumed: Resumed | null;
}

/**
 * Keeps the journal in step with the pipeline: which records which traces need, which runs were judged on what evidence, which traces are
 * finished. A trace is finished when it can take no late spans any more, all runs it is in were judged, and everybody has got the verdicts.
 */
export class DeliveryLedger<Place> {
  readonly #journal: RecordWriter<Place>;
  readonly #options: DeliveryLedgerOptions<Place>;
  readonly #batches = new WeakMap<Batch, Held<Place>>();
  readonly #closed = new Map<string, Closed<Place>>();
  readonly #tickets = new WeakMap<AgentRun, Ticket<Place>>();
  readonly #noting = new Set<Promise<void>>();
  readonly #release: (position: Place) => void;
  #leaving: Leaving<Place>[] = [];
  #listed: { readonly of: object; readonly size: number; readonly ids: ReadonlySet<string> } = {
    of: {},
    size: 0,
    ids: new Set(),
  };
  /** Requests with log records that name no trace, in the order they came. */
  #uncorrelated: {
    readonly held: Held<Place>;
    readonly uncorrelated: UncorrelatedRecord;
    readonly sinceMs: number;
  }[] = [];
  #isSweeping = false;
  #flushing: Promise<void> | undefined;
  /** Since when notes cannot be written; null while they can. */
  #failingSinceMs: number | null = null;
  /** By run, the newest note about it that is being written. */
  readonly #newest = new Map<string, Promise<unknown>>();
  #isEnding = false;
  #isClosed = false;

  constructor(options: DeliveryLedgerOptions<Place>) {
    const { journal } = options;
    this.#journal = journal;
    this.#options = options;
    this.#release = (position) => journal.release(position);
  }

  /** All requests of the past have been taken; these traces have something in them. */
  recovered(traceIds: ReadonlySet<string>, { judgements, forwarded }: PastRecords<Place>): void {
    for (const judgement of judgements) {
      const concerned = judgement.traceIds.filter((id) => traceIds.has(id));
      this.#hold(concerned, judgement.position);
      if (judgement.delivered !== null) this.#hold(concerned, judgement.delivered);
    }
    for (const { traceIds: ids, position } of forwarded)
      this.#hold(
        ids.filter((id) => traceIds.has(id)),
        position,
      );
  }

  /** Traces that are closed and not finished. */
  get unfinished(): number {
    return this.#closed.size;
  }

  /** Notes that are being written. Each retains the run that it is about. */
  get unwritten(): number {
    return this.#noting.size;
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

  /** A trace was released by the assembler, for the first time or again. */
  closed({ traceId, print = "" }: Trace): void {
    this.#closedOf(traceId).print = print;
  }

  /** The assembler dropped a trace. */
  forgotten(trace: OpenTrace): void {
    const held = trace.shares.flatMap(({ batch }) => this.#batches.get(batch) ?? []);
    this.#leaving.push({ traceId: hexOf(trace.id), held });
  }

  /** A run is about to be judged. Gives what an earlier process said about it, if anything. */
  begin(run: AgentRun): Resumed | null {
    const print = run.traceIds.map((id) => this.#closed.get(id)?.print ?? "?").join(" ");
    const resumed = this.#options.resume(keyOf(run), print);
    if (resumed?.isSettled === true) return resumed;
    const closed = run.traceIds.map((id) => this.#closedOf(id));
    for (const one of closed) one.openRuns++;
    this.#tickets.set(run, { traceIds: run.traceIds, closed, print, resumed });
    return resumed;
  }

  /**
   * A run was judged: writes down what is going to be said, then has it said. While nothing can be written it waits, for what is said without a
   * note is said again after a crash; at the end it is left to the next process.
   */
  publish(
    run: AgentRun,
    verdicts: readonly Verdict[],
    send: (verdict: Verdict, sending: Sending) => void,
  ): void {
    const ticket = this.#tickets.get(run);
    if (ticket === undefined || verdicts.length === 0) {
      for (const verdict of verdicts)
        send(verdict, { isInFile: false, maybeSent: false, done: () => undefined });
      return this.end(run);
    }
    this.#note(async () => {
      const note = await this.#inTurn(keyOf(run), () => this.#noteJudged(run, ticket, verdicts));
      if (this.#journal.maySend?.(ticket.traceIds) === false) return this.end(run);
      let open = verdicts.length;
      const done = (): void => {
        if (--open === 0) this.#note(() => this.#delivered(run, ticket, note));
      };
      for (const verdict of verdicts) {
        const key = verdictKey(verdict.verdictId, verdict.revision);
        const isInFile = ticket.resumed?.inFile.has(key) === true;
        send(verdict, { isInFile, maybeSent: ticket.resumed?.maybeSent.has(key) === true, done });
      }
    });
  }

  /** Writes down that traces were sent on, or left out. Settles when that is kept, or cannot be: then they may be sent twice. */
  async forwarded(forwarded: Forwarded): Promise<void> {
    try {
      this.#hold(forwarded.traceIds, await this.#journal.noteForwarded(forwarded));
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** Nothing more will be said about a run. */
  end(run: AgentRun): void {
    const ticket = this.#tickets.get(run);
    if (!this.#tickets.delete(run)) return;
    for (const closed of ticket?.closed ?? []) closed.openRuns--;
  }

  /**
   * Writes down which traces are finished and lets go of their records. To be called every second or so.
   * @param openTraceIds traces whose pieces may yet become part of a run
   */
  async sweep(nowMs: number, openTraceIds: () => ReadonlySet<string>, finishedIn: FinishedIn): Promise<void> {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    try {
      this.#dropUncorrelated(nowMs);
      if (this.#leaving.length > 0) await this.#finish(openTraceIds());
      await this.#journal.makeRoom(finishedIn);
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#isSweeping = false;
    }
  }

  /** Whether something is still to be done about a trace that was closed. */
  keeps(traceId: string): boolean {
    return this.#closed.has(traceId) || this.#leavingIds().has(traceId);
  }

  /** Made anew when traces were added or removed: it is used for very many traces at a time. */
  #leavingIds(): ReadonlySet<string> {
    const { of, size, ids } = this.#listed;
    if (of === this.#leaving && size === this.#leaving.length) return ids;
    const listed = new Set(this.#leaving.map(({ traceId }) => traceId));
    this.#listed = { of: this.#leaving, size: this.#leaving.length, ids: listed };
    return listed;
  }

  /** Where the records lie that a trace is made of, as far as they are in this ledger. */
  placesOf(trace: OpenTrace): readonly Place[] {
    return trace.shares.flatMap(({ batch }) => this.#batches.get(batch)?.position ?? []);
  }

  /** Traces that the assembler has let go of, that are not finished, and of which all records lie where `isAnothers` says. */
  leavingTo(isAnothers: (place: Place) => boolean): string[] {
    return this.#leaving
      .filter(({ held }) => held.every(({ position }) => isAnothers(position)))
      .map(({ traceId }) => traceId);
  }

  /** Forgets traces without finishing them. */
  relinquish(traceIds: ReadonlySet<string>): void {
    this.#leaving = this.#leaving.filter(({ traceId }) => !traceIds.has(traceId));
    for (const id of traceIds) this.#closed.delete(id);
  }

  /** Nothing more is published. Settles when every note that was begun is written, or cannot be. */
  async settled(): Promise<void> {
    this.#isEnding = true;
    while (this.#noting.size > 0 || this.#isSweeping) {
      await Promise.allSettled([...this.#noting, new Promise<void>((resolve) => setImmediate(resolve))]);
    }
  }

  /** Settles when every note that was begun is written. None is begun from then on: such a run is left to the next process. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.settled();
  }

  async #finish(openTraceIds: ReadonlySet<string>): Promise<void> {
    const stays = ({ traceId }: Leaving<Place>): boolean =>
      (this.#closed.get(traceId)?.openRuns ?? 0) > 0 || openTraceIds.has(traceId);
    const finished = this.#leaving.filter((one) => !stays(one));
    if (finished.length === 0) return;
    try {
      await this.#journal.finish(finished.map(({ traceId }) => traceId));
      this.#failingSinceMs = null;
    } catch (error) {
      // On a disk that stays full the records are let go without the note: that is what makes room again.
      if (this.#mayWait() || !(error instanceof JournalFull)) throw error;
    }
    const gone = new Set(finished);
    this.#leaving = this.#leaving.filter((one) => !gone.has(one));
    for (const { traceId, held } of finished) {
      for (const one of [...held, ...(this.#closed.get(traceId)?.held ?? [])]) one.drop();
      this.#closed.delete(traceId);
    }
  }

  async #noteJudged(
    run: AgentRun,
    ticket: Ticket<Place>,
    verdicts: readonly Verdict[],
  ): Promise<Place | null> {
    const { traceIds, print } = ticket;
    const said = verdicts.map(({ verdictId, revision }) => ({ verdictId, revision }));
    const judgement = { runId: keyOf(run), traceIds, print, verdicts: said };
    for (;;) {
      try {
        const position = await this.#journal.noteJudged(judgement);
        this.#failingSinceMs = null;
        this.#hold(traceIds, position);
        return position;
      } catch (error) {
        if (this.#isEnding) throw error;
        this.#options.onError(error);
        if (!this.#mayWait()) return null; // said all the same: at worst it is said twice
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

  async #delivered(run: AgentRun, { traceIds }: Ticket<Place>, note: Place | null): Promise<void> {
    try {
      await this.#flushed();
      if (note !== null) this.#hold(traceIds, await this.#journal.noteDelivered(note));
    } catch (error) {
      this.#options.onError(error);
    }
    this.end(run);
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

  /** Keeps a note as long as one of the traces it is about. */
  #hold(traceIds: readonly string[], position: Place): void {
    const held = new Held(position, traceIds.length, this.#release);
    for (const id of traceIds) this.#closedOf(id).held.push(held);
  }

  #closedOf(traceId: string): Closed<Place> {
    let closed = this.#closed.get(traceId);
    if (closed === undefined) this.#closed.set(traceId, (closed = { print: "?", openRuns: 0, held: [] }));
    return closed;
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

  #note(write: () => Promise<void>): void {
    if (this.#isClosed) return;
    const noting = write().finally(() => this.#noting.delete(noting));
    this.#noting.add(noting);
    noting.catch((error: unknown) => this.#options.onError(error));
  }
}

/** A conversation goes by the id of its first run. */
function keyOf({ runId, turns }: AgentRun): string {
  return turns === undefined ? runId : `${runId} conversation`;
}
