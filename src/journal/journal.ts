import { randomInt } from "node:crypto";
import type { Disk } from "./disk/disk.ts";
import { errorCode, JournalOpenError } from "./disk/errors.ts";
import { acquireLock, type Lock } from "./disk/lock.ts";
import { nodeDisk } from "./disk/node-disk.ts";
import { ownedDisk } from "./disk/owned-disk.ts";
import {
  decodeForwarded,
  decodeJudgement,
  decodeMeta,
  decodeNumber,
  decodeSentOn,
  decodeTraceIds,
  encodeForwarded,
  encodeJudgement,
  encodeMeta,
  encodeNumber,
  encodeTraceIds,
  type Forwarded,
  type Judgement,
  RecordKind,
  type RequestMeta,
} from "./records/record-kinds.ts";
import { QueuedRequests } from "./queued-requests.ts";
import type { Repairs } from "./segments/repairs.ts";
import type { Entry } from "./segments/segment.ts";
import { SegmentLog } from "./segments/segment-log.ts";

export interface JournalOptions {
  readonly dir: string;
  /**
   * `fsync`: appended records survive a power failure. `flush`: appended records survive a crash of the process, but not a power failure.
   */
  readonly durability: "fsync" | "flush";
  readonly budgetBytes: number;
  /** Replaces the file system, for example in tests. If it is given, the folder is not locked. */
  readonly disk?: Disk;
  readonly segmentBytes?: number;
  /** Reports damage that is found while the journal is opened or read. */
  readonly onDamage?: (found: Repairs) => void;
}

/** Identifies a record in the journal, for example in order to release it. */
export type Position = Entry;

/** A judgement that an earlier process recorded. */
export interface PastJudgement extends Judgement {
  readonly position: Position;
  /** The record which states that all destinations have received the verdicts; null if there is none. */
  readonly delivered: Position | null;
}

export interface Past {
  /** Ids of finished traces. If a request contains rows of finished and of unfinished traces, the rows of finished traces are skipped. */
  readonly finished: ReadonlySet<string>;
  /** Judgements in the order in which they were recorded. */
  readonly judgements: readonly PastJudgement[];
  /** Forwarding decisions about unfinished traces. */
  readonly forwarded: readonly (Forwarded & { readonly position: Position })[];
  readonly requests: number;
}

export interface RecoveredRequest {
  readonly body: Uint8Array;
  readonly meta: RequestMeta;
  readonly position: Position;
  /** Backends that have not yet received the request. */
  readonly queues: readonly string[];
}

/** A request that the queues of backends read from the journal. */
export interface SharedRequest {
  /** Reads the body from disk. Rejects if reading fails. */
  read(): Promise<Uint8Array>;
  /** Records that a backend has received the request, or that the request is not to be sent to it. */
  sentOn(queue: string): void;
}

/** Returns the ids of those traces in a request that are finished. */
export type FinishedIn = (body: Uint8Array, meta: RequestMeta) => readonly string[];

const noMeta = new Uint8Array();

/**
 * Opens the journal in a folder, which is created if it is missing. Damage is repaired and reported. Rejects with `JournalOpenError` if
 * another process uses the folder, or if the folder cannot be written.
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const lock = options.disk === undefined ? await acquireLock(options.dir) : null;
  const disk = options.disk ?? nodeDisk(options.dir);
  try {
    const reading = new PastReader();
    const { log } = await SegmentLog.open(
      {
        disk: lock === null ? disk : ownedDisk(disk, lock),
        sync: options.durability === "fsync",
        budgetBytes: options.budgetBytes,
        salt: () => randomInt(2 ** 32),
        ...(options.segmentBytes === undefined ? {} : { segmentBytes: options.segmentBytes }),
        ...(options.onDamage === undefined ? {} : { onDamage: options.onDamage }),
      },
      (entry, meta, body) => reading.visit(entry, meta, body),
    );
    return new Journal(log, lock, reading);
  } catch (error) {
    await lock?.release();
    if (errorCode(error) === undefined) throw error;
    throw new JournalOpenError(
      `the journal in ${options.dir} cannot be read (${String(error)}); fix its permissions, or set data_dir to another folder`,
    );
  }
}

/** Stores received requests, and the progress of the work on their traces. */
export class Journal {
  readonly past: Past;
  readonly #log: SegmentLog;
  readonly #lock: Lock | null;
  readonly #requests: readonly Position[];
  readonly #queued: QueuedRequests;
  /** For each queue, the numbers of the requests that an earlier process has forwarded. */
  readonly #sentOn: ReadonlyMap<string, ReadonlySet<number>>;

  constructor(log: SegmentLog, lock: Lock | null, reading: PastReader) {
    this.#log = log;
    this.#lock = lock;
    this.#requests = reading.requests;
    this.#queued = new QueuedRequests(log);
    this.#sentOn = reading.sentOn;
    this.past = reading.past();
    for (const entry of reading.unneeded) log.release(entry);
  }

  /** Size of the journal on disk in bytes. */
  get usedBytes(): number {
    return this.#log.usedBytes;
  }

  /** Size of the records that are still needed, in bytes. */
  get liveBytes(): number {
    return this.#log.liveBytes;
  }

  get segmentCount(): number {
    return this.#log.segmentCount;
  }

  /** Appends a request. Resolves when the request is stored as `durability` requires. Rejects with `JournalFull` or `JournalUnwritable`. */
  async append(body: Uint8Array, meta: RequestMeta): Promise<Position> {
    const position = await this.#log.append(RecordKind.request, encodeMeta(meta), body);
    this.#queued.add(position, meta.sent?.queues ?? []);
    return position;
  }

  /**
   * Returns a stored request for the backend queues that its metadata lists (`sent.queues`). The request stays in the journal until each of
   * these queues has delivered it.
   */
  share(position: Position): SharedRequest {
    return {
      read: () => this.#readBody(position),
      sentOn: (queue) => this.#queued.sentOn(position, queue),
    };
  }

  /**
   * Yields the requests of an earlier process in order of arrival. Requests that cannot be read are released. Call it once, before any
   * request is released.
   */
  async *recover(): AsyncGenerator<RecoveredRequest> {
    for (const position of this.#requests) {
      const read = await this.#log.read(position).catch(() => null);
      const meta = read === null ? null : decodeMeta(read.meta);
      if (read === null || meta === null) this.#log.release(position);
      else yield { body: read.body, meta, position, queues: this.#queuesLeft(position, meta) };
    }
  }

  noteJudged(judgement: Judgement): Promise<Position> {
    return this.#log.append(RecordKind.judged, noMeta, encodeJudgement(judgement), true);
  }

  noteDelivered(judged: Position): Promise<Position> {
    return this.#log.append(RecordKind.delivered, noMeta, encodeNumber(judged.number), true);
  }

  noteForwarded(forwarded: Forwarded): Promise<Position> {
    return this.#log.append(RecordKind.forwarded, noMeta, encodeForwarded(forwarded), true);
  }

  /** Records that traces are finished. This record stays on disk until all earlier requests are released. */
  async finish(traceIds: readonly string[]): Promise<void> {
    this.#log.release(await this.#log.append(RecordKind.finished, noMeta, encodeTraceIds(traceIds), true));
  }

  /** Releases a request or another record. A request stays in the journal until the queues of backends have delivered it. */
  release(position: Position): void {
    this.#queued.release(position);
  }

  /**
   * Frees space if most of a large log is no longer needed. Old records that are still needed are appended again at the end of the log; the
   * segments that contained them can then be deleted.
   */
  async makeRoom(finishedIn: FinishedIn): Promise<void> {
    for (let left = this.#log.segmentCount; left > 0 && this.#log.isMostlyDead; left--) {
      await this.#log.moveOldest((moved) => this.#finishAgain(moved, finishedIn));
    }
  }

  /** Writes all waiting records, and unlocks the folder. */
  async close(): Promise<void> {
    await this.#queued.settled();
    await this.#log.close();
    await this.#lock?.release();
  }

  /**
   * Records again which traces of the moved requests are finished. The earlier record about this precedes the moved requests in the log, so
   * it may be deleted before them.
   */
  async #finishAgain(moved: readonly Position[], finishedIn: FinishedIn): Promise<void> {
    const finished = new Set<string>();
    for (const position of moved.filter(({ kind }) => kind === RecordKind.request)) {
      const { meta, body } = await this.#log.read(position);
      const request = decodeMeta(meta);
      if (request === null) continue;
      for (const id of finishedIn(body, request)) finished.add(id);
      this.#queued.noteAgain(position, request.sent?.queues ?? []);
    }
    if (finished.size > 0) await this.finish([...finished]);
    await this.#queued.settled();
  }

  #queuesLeft(position: Position, { sent }: RequestMeta): string[] {
    const queues = (sent?.queues ?? []).filter((queue) => !this.#sentOn.get(queue)?.has(position.number));
    this.#queued.add(position, queues);
    return queues;
  }

  /** Reads a body. If the record was moved in the meantime, reads it again, because its old place may have been overwritten. */
  async #readBody(position: Position): Promise<Uint8Array> {
    for (;;) {
      const { segment, at } = position;
      const isThere = (): boolean => position.segment === segment && position.at === at;
      try {
        const { body } = await this.#log.read(position);
        if (isThere()) return body;
      } catch (error) {
        if (isThere()) throw error;
      }
    }
  }
}

class PastReader {
  readonly requests: Position[] = [];
  /** Records that were read but are not needed. */
  readonly unneeded: Position[] = [];
  readonly #finished = new Set<string>();
  readonly #judged: [Position, Judgement][] = [];
  readonly #forwarded: (Forwarded & { readonly position: Position })[] = [];
  /**
   * The record about the delivery of verdicts, by the number of the record that contains the verdicts. Records can be moved, so the former
   * can precede the latter.
   */
  readonly #delivered = new Map<number, Position>();
  readonly sentOn = new Map<string, Set<number>>();

  visit(entry: Entry, _meta: Uint8Array, body: Uint8Array): void {
    if (entry.kind === RecordKind.request) this.requests.push(entry);
    else if (entry.kind === RecordKind.judged) this.#addJudged(entry, body);
    else if (entry.kind === RecordKind.forwarded) this.#addForwarded(entry, body);
    else if (entry.kind === RecordKind.delivered) this.#delivered.set(decodeNumber(body), entry);
    else this.unneeded.push(entry);
    if (entry.kind === RecordKind.finished) for (const id of decodeTraceIds(body)) this.#finished.add(id);
    if (entry.kind === RecordKind.sentOn) this.#addSentOn(body);
  }

  past(): Past {
    const judgements = this.#judged
      .map(([position, judgement]) => ({
        ...judgement,
        position,
        delivered: this.#delivered.get(position.number) ?? null,
      }))
      .sort((a, b) => a.position.number - b.position.number);
    return {
      finished: this.#finished,
      judgements,
      forwarded: this.#forwarded,
      requests: this.requests.length,
    };
  }

  #addSentOn(body: Uint8Array): void {
    const { queue = "", numbers = [] } = decodeSentOn(body) ?? {};
    const sent = this.sentOn.get(queue) ?? new Set();
    for (const number of numbers) sent.add(number);
    this.sentOn.set(queue, sent);
  }

  #addForwarded(position: Position, body: Uint8Array): void {
    const forwarded = decodeForwarded(body);
    if (forwarded === null) this.unneeded.push(position);
    else this.#forwarded.push({ ...forwarded, position });
  }

  #addJudged(position: Position, body: Uint8Array): void {
    const judgement = decodeJudgement(body);
    if (judgement === null) this.unneeded.push(position);
    else this.#judged.push([position, judgement]);
  }
}
