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
  /** `fsync`: what was appended survives a loss of power. `flush`: it survives the end of this process, however that comes. */
  readonly durability: "fsync" | "flush";
  readonly budgetBytes: number;
  /** Instead of the folder `dir` of the machine; without a lock then. */
  readonly disk?: Disk;
  readonly segmentBytes?: number;
  /** Gets what is found damaged, at the start and later. */
  readonly onDamage?: (found: Repairs) => void;
}

/** A record's place in the journal, to release it by. */
export type Position = Entry;

/** A judgement that an earlier process wrote down. */
export interface PastJudgement extends Judgement {
  readonly position: Position;
  /** The note that everybody had got its verdicts; null when that is not known. */
  readonly delivered: Position | null;
}

/** Records of an earlier process. */
export interface Past {
  /** Finished traces. Their rows are skipped in requests that are retained for other traces. */
  readonly finished: ReadonlySet<string>;
  /** In the order they were made. */
  readonly judgements: readonly PastJudgement[];
  /** Forwarding decisions of unfinished traces. */
  readonly forwarded: readonly (Forwarded & { readonly position: Position })[];
  readonly requests: number;
}

export interface RecoveredRequest {
  readonly body: Uint8Array;
  readonly meta: RequestMeta;
  readonly position: Position;
  /** Backends that still need the request; their queues read it from the journal. */
  readonly queues: readonly string[];
}

/** A request in the journal, as seen by backend queues that read it from there. */
export interface SharedRequest {
  /** Its body, from the disk. Rejects when it cannot be read. */
  read(): Promise<Uint8Array>;
  /** A backend has got it, or is not to get it. */
  sentOn(queue: string): void;
}

/** Trace ids of a request that are finished. */
export type FinishedIn = (body: Uint8Array, meta: RequestMeta) => readonly string[];

const noMeta = new Uint8Array();

/**
 * Opens the journal of a folder, or begins one. Damage is repaired and reported, never a reason to fail.
 * Rejects with `JournalOpenError` when another process uses the folder or it cannot be written.
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
    throw new JournalOpenError(`the journal in ${options.dir} cannot be read (${String(error)})`);
  }
}

/** Requests and what became of their traces, written down as it happens. */
export class Journal {
  readonly past: Past;
  readonly #log: SegmentLog;
  readonly #lock: Lock | null;
  readonly #requests: readonly Position[];
  readonly #queued: QueuedRequests;
  /** Numbers of requests that an earlier process has sent on, by queue. */
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

  /** Bytes on the disk. */
  get usedBytes(): number {
    return this.#log.usedBytes;
  }

  /** Bytes that are still needed. */
  get liveBytes(): number {
    return this.#log.liveBytes;
  }

  get segmentCount(): number {
    return this.#log.segmentCount;
  }

  /** Resolves when the request is stored as the durability says; rejects with `JournalFull` or `JournalUnwritable`. */
  async append(body: Uint8Array, meta: RequestMeta): Promise<Position> {
    const position = await this.#log.append(RecordKind.request, encodeMeta(meta), body);
    this.#queued.add(position, meta.sent?.queues ?? []);
    return position;
  }

  /** The stored request for the queues named in `sent.queues`; it is retained until each of them has delivered it. */
  share(position: Position): SharedRequest {
    return {
      read: () => this.#readBody(position),
      sentOn: (queue) => this.#queued.sentOn(position, queue),
    };
  }

  /** The requests of an earlier process, in the order they came. To be read once, before anything is released. */
  async *recover(): AsyncGenerator<RecoveredRequest> {
    for (const position of this.#requests) {
      const read = await this.#log.read(position).catch(() => null);
      const meta = read === null ? null : decodeMeta(read.meta);
      if (read === null || meta === null) this.#log.release(position);
      else yield { body: read.body, meta, position, queues: this.#queuesLeft(position, meta) };
    }
  }

  /** To be stored before the verdicts are sent out. */
  noteJudged(judgement: Judgement): Promise<Position> {
    return this.#log.append(RecordKind.judged, noMeta, encodeJudgement(judgement), true);
  }

  /** Everybody has got the verdicts. */
  noteDelivered(judged: Position): Promise<Position> {
    return this.#log.append(RecordKind.delivered, noMeta, encodeNumber(judged.number), true);
  }

  /** A backend's queue has these traces, or they are not to get there. */
  noteForwarded(forwarded: Forwarded): Promise<Position> {
    return this.#log.append(RecordKind.forwarded, noMeta, encodeForwarded(forwarded), true);
  }

  /** Nothing more is to be done about these traces. The note stays as long as any request that came before it. */
  async finish(traceIds: readonly string[]): Promise<void> {
    this.#log.release(await this.#log.append(RecordKind.finished, noMeta, encodeTraceIds(traceIds), true));
  }

  /** Only backend queues still need the record. */
  release(position: Position): void {
    this.#queued.release(position);
  }

  /** Rewrites old requests at the end of the log when they prevent the deletion of many newer, finished ones. */
  async makeRoom(finishedIn: FinishedIn): Promise<void> {
    for (let left = this.#log.segmentCount; left > 0 && this.#log.isMostlyDead; left--) {
      await this.#log.moveOldest((moved) => this.#finishAgain(moved, finishedIn));
    }
  }

  /** Writes what waits, gives the folder free. */
  async close(): Promise<void> {
    await this.#queued.settled();
    await this.#log.close();
    await this.#lock?.release();
  }

  /** A rewritten request follows the records about its finished traces, so these records are written again. */
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

  /** A record that moves while it is read is read again: its old place may be written over by then. */
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

/** Sorts the records of an earlier process. */
class PastReader {
  readonly requests: Position[] = [];
  /** Notes that have been read and need not be kept for their own sake. */
  readonly unneeded: Position[] = [];
  readonly #finished = new Set<string>();
  readonly #judged: [Position, Judgement][] = [];
  readonly #forwarded: (Forwarded & { readonly position: Position })[] = [];
  /** By the number of the judgement; notes that were moved come in another order than they were made. */
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
