import type { Listed } from "../../report/render/findings/listed.ts";
import type { Saving } from "../../report/render/findings/saved-findings.ts";
import { RecordBuffer, type Run } from "./record-buffer.ts";
import { Spilled } from "./spilled.ts";
import type { TemporaryFile } from "./temporary-file.ts";

/** So many are held in memory, or as many as take so many bytes; those of a small dump never leave it. */
export interface Room {
  readonly items: number;
  readonly bytes: number;
}

/** Findings of one kind in a file. */
export interface Written {
  readonly length: number;
  readonly runs: readonly Omit<Run, "file">[];
}

const usual: Room = { items: 4_096, bytes: 32 << 20 };
/** Size of the records that wait to be written. */
const MOST_WAITING = 8 << 20;

/** Findings of one kind: in memory as long as they are few, else in a temporary file. */
export class FindingsList<Item> {
  readonly #saving: Saving<Item>;
  readonly #file: () => TemporaryFile;
  readonly #isOrdered: boolean;
  readonly #room: Room;
  readonly #runs: Run[] = [];
  #held: Item[] = [];
  #weight = 0;
  #length = 0;
  /** Set once they are too many. */
  #waiting: RecordBuffer<Item> | undefined;

  /** `isOrdered`: as reports want them; else they stay in the order they came in. */
  constructor(saving: Saving<Item>, file: () => TemporaryFile, isOrdered: boolean, room: Room = usual) {
    this.#saving = saving;
    this.#file = file;
    this.#isOrdered = isOrdered;
    this.#room = room;
  }

  add(item: Item): void {
    this.#length++;
    if (this.#waiting !== undefined) {
      this.#save(item, this.#waiting);
      return;
    }
    this.#held.push(item);
    this.#weight += this.#saving.weigh(item);
    if (this.#held.length >= this.#room.items || this.#weight >= this.#room.bytes) this.#moveToFile();
  }

  /** All of them; nothing may be added any more. */
  list(): Listed<Item> {
    if (this.#waiting === undefined) return this.#held;
    this.#write(this.#waiting);
    return new Spilled(this.#length, this.#runs, this.#saving, this.#isOrdered);
  }

  /** All of them, written to the file. */
  written(): Written {
    if (this.#held.length > 0) this.#moveToFile();
    if (this.#waiting !== undefined) this.#write(this.#waiting);
    return { length: this.#length, runs: this.#runs.map(({ from, to, key }) => ({ from, to, key })) };
  }

  /** Adds what stands in another file. */
  addWritten(file: TemporaryFile, { length, runs }: Written): void {
    if (length === 0) return;
    if (this.#waiting === undefined) this.#moveToFile();
    this.#length += length;
    for (const run of runs) this.#runs.push({ ...run, file });
  }

  #moveToFile(): void {
    const waiting = (this.#waiting = new RecordBuffer(
      this.#saving,
      Math.min(MOST_WAITING, this.#room.bytes),
    ));
    for (const item of this.#held) this.#save(item, waiting);
    this.#held = [];
  }

  #save(item: Item, waiting: RecordBuffer<Item>): void {
    if (waiting.add(item)) return;
    this.#write(waiting);
    waiting.add(item);
  }

  #write(waiting: RecordBuffer<Item>): void {
    if (waiting.isEmpty) return;
    const run = waiting.write(this.#file(), this.#isOrdered);
    if (run !== undefined) this.#runs.push(run);
  }
}
