import type { Disk } from "../journal/disk.ts";
import type { Entry } from "../journal/segment.ts";
import { SegmentLog } from "../journal/segment-log.ts";
import { decodeMeta, encodeMeta, type Outgoing } from "./outgoing.ts";
import { type ForwardStore, OVERHEAD, type Stored } from "./store.ts";

export interface DiskStoreOptions {
  readonly disk: Disk;
  /** Whether a request has to survive a loss of power, or a crash of the process only. */
  readonly sync: boolean;
  readonly budgetBytes: number;
  /** Bytes of bodies kept in memory as well, so that sending them on needs no reading. */
  readonly cacheBytes: number;
  /** Random 32-bit numbers. */
  readonly salt: () => number;
  /** Told when something could not be written down; nothing is lost by it, but something may be sent twice. */
  readonly onError: (error: unknown) => void;
}

const REQUEST = 1;
/** Numbers of requests that are done. */
const DONE = 2;
const NOTE_EVERY_MS = 100;
const EMPTY = new Uint8Array(0);
const NUMBER_BYTES = 8;

/**
 * Requests in segment files. Which of them are done is noted now and then: after a crash, those of the last tenth of a second may be sent a
 * second time.
 */
export class DiskStore implements ForwardStore {
  readonly left: readonly Stored[];
  readonly isDurable = true;
  readonly #log: SegmentLog;
  readonly #options: DiskStoreOptions;
  readonly #noting = new Set<Promise<void>>();
  #done: number[] = [];
  #timer: NodeJS.Timeout | undefined;
  #heldBytes = 0;

  private constructor(log: SegmentLog, left: readonly Stored[], options: DiskStoreOptions) {
    this.#log = log;
    this.left = left;
    this.#options = options;
    this.#heldBytes = left.length * OVERHEAD;
  }

  /** Rejects when the folder cannot be read. */
  static async open(options: DiskStoreOptions): Promise<DiskStore> {
    const done = new Set<number>();
    const opened = await SegmentLog.open(options, ({ kind }, _meta, body) => {
      if (kind === DONE) for (const number of numbersIn(body)) done.add(number);
    });
    const left: Stored[] = [];
    for (const entry of opened.entries) {
      if (entry.kind === REQUEST && !done.has(entry.number)) left.push(stored(entry, null));
      else opened.log.release(entry);
    }
    return new DiskStore(opened.log, left, options);
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  async add(outgoing: Outgoing): Promise<Stored> {
    const bytes = outgoing.body.length;
    this.#heldBytes += OVERHEAD + bytes;
    try {
      const entry = await this.#log.append(REQUEST, encodeMeta(outgoing), outgoing.body);
      if (this.#heldBytes <= this.#options.cacheBytes) return stored(entry, outgoing);
      this.#heldBytes -= bytes;
      return stored(entry, null);
    } catch (error) {
      this.#heldBytes -= OVERHEAD + bytes;
      throw error;
    }
  }

  async read({ outgoing, entry }: Stored): Promise<Outgoing | null> {
    if (outgoing !== null || entry === null) return outgoing;
    try {
      const { meta, body } = await this.#log.read(entry);
      const about = decodeMeta(meta);
      return about === null ? null : { ...about, body };
    } catch (error) {
      this.#options.onError(error);
      return null;
    }
  }

  done({ entry, outgoing }: Stored): void {
    this.#heldBytes -= OVERHEAD + (outgoing?.body.length ?? 0);
    if (entry === null) return;
    this.#log.release(entry);
    this.#done.push(entry.number);
    this.#timer ??= setTimeout(() => this.#note(), NOTE_EVERY_MS).unref();
  }

  async close(): Promise<void> {
    this.#note();
    await Promise.all(this.#noting);
    await this.#log.close();
  }

  #note(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#done.length === 0) return;
    const body = new Uint8Array(Float64Array.from(this.#done).buffer);
    this.#done = [];
    // Segments go from the oldest on, so a note never goes before the requests that it is about.
    const noted = this.#log.append(DONE, EMPTY, body, true).then(
      (entry) => this.#log.release(entry),
      (error: unknown) => this.#options.onError(error),
    );
    this.#noting.add(noted);
    void noted.finally(() => this.#noting.delete(noted));
  }
}

function stored(entry: Entry, outgoing: Outgoing | null): Stored {
  return { bytes: entry.metaBytes + entry.bodyBytes, entry, outgoing };
}

function numbersIn(body: Uint8Array): number[] {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const numbers: number[] = [];
  for (let at = 0; at + NUMBER_BYTES <= body.length; at += NUMBER_BYTES)
    numbers.push(view.getFloat64(at, true));
  return numbers;
}
