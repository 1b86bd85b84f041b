import { encodeSentOn, RecordKind } from "./records/record-kinds.ts";
import type { Entry } from "./segments/segment.ts";
import type { SegmentLog } from "./segments/segment-log.ts";
import { append } from "../support/structures/group-by.ts";

interface Needed {
  /** The backends that have not got it. */
  readonly queues: Set<string>;
  /** Whether nothing else needs it. */
  isReleased: boolean;
}

const NOTE_EVERY_MS = 100;
const EMPTY = new Uint8Array(0);

/**
 * Requests that backends' queues rest on: each stays in the log until all those backends have got it, whatever becomes of its traces. What
 * was sent on is noted now and then: after a crash, requests of the last tenth of a second may be sent a second time.
 */
export class QueuedRequests {
  readonly #log: SegmentLog;
  readonly #needed = new Map<Entry, Needed>();
  /** Numbers of requests that were sent on since the last note, by queue. */
  #sent = new Map<string, number[]>();
  #timer: NodeJS.Timeout | undefined;
  readonly #noting = new Set<Promise<void>>();

  constructor(log: SegmentLog) {
    this.#log = log;
  }

  add(entry: Entry, queues: readonly string[]): void {
    if (queues.length > 0) this.#needed.set(entry, { queues: new Set(queues), isReleased: false });
  }

  /** A backend has got the request, or is not to get it. */
  sentOn(entry: Entry, queue: string): void {
    const needed = this.#needed.get(entry);
    if (needed?.queues.delete(queue) !== true) return;
    this.#noteLater(queue, entry.number);
    if (needed.queues.size > 0) return;
    this.#needed.delete(entry);
    if (needed.isReleased) this.#log.release(entry);
  }

  /** Only the queues still need the request. */
  release(entry: Entry): void {
    const needed = this.#needed.get(entry);
    if (needed === undefined) this.#log.release(entry);
    else needed.isReleased = true;
  }

  /** Records again which queues have delivered a rewritten request, because the older records precede it now. */
  noteAgain(entry: Entry, queues: readonly string[]): void {
    const left = this.#needed.get(entry)?.queues;
    for (const queue of queues) if (left?.has(queue) !== true) this.#noteLater(queue, entry.number);
  }

  /** Settles when all that was sent on is noted, or cannot be. */
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
      // Segments go from the oldest on, so a note never goes before the requests that it is about.
      const noted = this.#log.append(RecordKind.sentOn, EMPTY, encodeSentOn({ queue, numbers }), true).then(
        (entry) => this.#log.release(entry),
        () => undefined, // at worst they are sent twice; that the journal cannot be written is said where requests are kept
      );
      this.#noting.add(noted);
      void noted.finally(() => this.#noting.delete(noted));
    }
  }
}
