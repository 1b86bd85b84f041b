import { RecordDamaged } from "../disk/errors.ts";
import type { Entry } from "../segments/segment.ts";
import { SegmentLog, type SegmentLogOptions } from "../segments/segment-log.ts";

export interface RetainedRecordsOptions extends SegmentLogOptions {
  /**
   * Reports the error of a failed read, or of a failed write about released records. If such a write fails, no data is lost, but a later
   * process may process a record twice.
   */
  readonly onError: (error: unknown) => void;
}

const RECORD = 1;
/** Kind of a record that lists released records by their numbers. */
const DONE = 2;
const NOTE_EVERY_MS = 100;
const EMPTY = new Uint8Array(0);
const NUMBER_BYTES = 8;

/**
 * Records in segment files. Each record stays on disk until it is released. Releases are recorded about ten times a second, so after a
 * crash, records that were released in the last tenth of a second are restored.
 */
export class RetainedRecords {
  /** Records of an earlier process that were not released, in order. */
  readonly recovered: readonly Entry[];
  readonly #log: SegmentLog;
  readonly #onError: (error: unknown) => void;
  readonly #noting = new Set<Promise<void>>();
  #done: number[] = [];
  #timer: NodeJS.Timeout | undefined;

  private constructor(log: SegmentLog, left: readonly Entry[], onError: (error: unknown) => void) {
    this.#log = log;
    this.recovered = left;
    this.#onError = onError;
  }

  /**
   * Opens the folder. Rejects if the folder cannot be read.
   * @param look receives each record of an earlier process that is still on disk, even if it was released
   */
  static async open(
    options: RetainedRecordsOptions,
    look?: (entry: Entry, meta: Uint8Array) => void,
  ): Promise<RetainedRecords> {
    const done = new Set<number>();
    const opened = await SegmentLog.open(options, (entry, meta, body) => {
      if (entry.kind === RECORD) look?.(entry, meta);
      else if (entry.kind === DONE) for (const number of numbersIn(body)) done.add(number);
    });
    const left: Entry[] = [];
    for (const entry of opened.entries) {
      if (entry.kind === RECORD && !done.has(entry.number)) left.push(entry);
      else opened.log.release(entry);
    }
    return new RetainedRecords(opened.log, left, options.onError);
  }

  /** Appends a record. Resolves when the record is stored as durably as configured. Rejects with `JournalFull` or `JournalUnwritable`. */
  add(meta: Uint8Array, body: Uint8Array): Promise<Entry> {
    return this.#log.append(RECORD, meta, body);
  }

  /** Reads a record. Resolves to null if the record cannot be read. */
  async read(entry: Entry): Promise<{ readonly meta: Uint8Array; readonly body: Uint8Array } | null> {
    try {
      return await this.#log.read(entry);
    } catch (error) {
      if (!(error instanceof RecordDamaged)) this.#onError(error); // A damaged record is already reported by the log.
      return null;
    }
  }

  done(entry: Entry): void {
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
    // Segments are deleted oldest first, so this record is deleted after the records that it names.
    const noted = this.#log.append(DONE, EMPTY, body, true).then(
      (entry) => this.#log.release(entry),
      (error: unknown) => this.#onError(error),
    );
    this.#noting.add(noted);
    void noted.finally(() => this.#noting.delete(noted));
  }
}

function numbersIn(body: Uint8Array): number[] {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const numbers: number[] = [];
  for (let at = 0; at + NUMBER_BYTES <= body.length; at += NUMBER_BYTES)
    numbers.push(view.getFloat64(at, true));
  return numbers;
}
