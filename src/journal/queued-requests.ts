import { encodeSentOn, RecordKind } from "./records/record-kinds.ts";
import type { Entry } from "./segments/segment.ts";
import type { SegmentLog } from "./segments/segment-log.ts";
import { append } from "../support/structures/group-by.ts";

interface Needed {
  /** Backends that have not yet received the request. */
  readonly queues: Set<string>;
  /** Whether only the queues of backends still need the request. */
  isReleased: boolean;
}

const NOTE_EVERY_MS = 100;
const EMPTY = new Uint8Array(0);

/**
 * Requests that the queues of backends read from the journal. A request stays until all its backends have received it. Deliveries are
 * recorded about ten times a second, so after a crash, usually only the deliveries of the last tenth of a second are repeated.
 */
export class QueuedRequests {
  readonly #log: SegmentLog;
  readonly #needed = new Map<Entry, Needed>();
  /** For each queue, the numbers of the requests that were delivered and are not recorded yet. */
  #sent = new Map<string, number[]>();
  #timer: NodeJS.Timeout | undefined;
  readonly #noting = new Set<Promise<void>>();

  constructor(log: SegmentLog) {
    this.#log = log;
  }

  add(entry: Entry, queues: readonly string[]): void {
    if (queues.length > 0) this.#needed.set(entry, { queues: new Set(queues), isReleased: false });
  }

  /** Records that a backend has received the request, or that the request is not to be sent to it. */
  sentOn(entry: Entry, queue: string): void {
    const needed = this.#needed.get(entry);
    if (needed?.queues.delete(queue) !== true) return;
    this.#noteLater(queue, entry.number);
    if (needed.queues.size > 0) return;
    this.#needed.delete(entry);
    if (needed.isReleased) this.#log.release(entry);
  }

  /** Releases a request. The request stays until the queues of its backends have delivered it. */
  release(entry: Entry): void {
    const needed = this.#needed.get(entry);
    if (needed === undefined) this.#log.release(entry);
    else needed.isReleased = true;
  }

  /**
   * Records the deliveries of a moved request again. The earlier record about them precedes the moved request in the log, so it may be
   * deleted before the request.
   */
  noteAgain(entry: Entry, queues: readonly string[]): void {
    const left = this.#needed.get(entry)?.queues;
    for (const queue of queues) if (left?.has(queue) !== true) this.#noteLater(queue, entry.number);
  }

  /** Resolves when all deliveries are recorded, or when writing them has failed. */
  async settled(): Promise<void> {
    this.#note();
    await Promise.all(this.#noting);
  }

  #noteLater(queue: string, number: number): void {
    append(this.#sent, queue, number);
    this.#timer ??= setTimeout(() => this.#note(), NOTE_EVERY_MS).unref();
  }

  #note(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const sent = this.#sent;
    this.#sent = new Map();
    for (const [queue, numbers] of sent) {
      // Segments are deleted oldest first, so this record is deleted after the requests that it names.
      const noted = this.#log.append(RecordKind.sentOn, EMPTY, encodeSentOn({ queue, numbers }), true).then(
        (entry) => this.#log.release(entry),
        () => undefined, // If the write fails, these deliveries are repeated after a crash. The journal reports the error elsewhere.
      );
      this.#noting.add(noted);
      void noted.finally(() => this.#noting.delete(noted));
    }
  }
}
