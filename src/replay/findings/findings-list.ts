import type { Listed, Ordered } from "../../report/render/findings/listed.ts";
import { byPlace, compare } from "../../report/render/findings/reported.ts";
import type { Key, Saving } from "../../report/render/findings/saved-findings.ts";
import type { TemporaryFile } from "./temporary-file.ts";

/** So many are held in memory, or as many as take so many bytes; those of a small dump never leave it. */
export interface Room {
  readonly items: number;
  readonly bytes: number;
}

/** Where a finding stands in its file, and what it is in order by. */
export interface Saved {
  readonly key: Key;
  readonly from: number;
  readonly headBytes: number;
  readonly bodyBytes: number;
}

interface Placed extends Saved {
  readonly file: TemporaryFile;
}

const usual: Room = { items: 4_096, bytes: 32 << 20 };

/** Findings of one kind: in memory as long as they are few, else in a temporary file, of which memory has the offsets. */
export class FindingsList<Item> {
  readonly #saving: Saving<Item>;
  readonly #file: () => TemporaryFile;
  readonly #isOrdered: boolean;
  readonly #room: Room;
  readonly #placed: Placed[] = [];
  #held: Item[] = [];
  #weight = 0;
  /** They are too many for memory. */
  #isFull = false;

  /** `isOrdered`: as reports want them; else they stay in the order they came in. */
  constructor(saving: Saving<Item>, file: () => TemporaryFile, isOrdered: boolean, room: Room = usual) {
    this.#saving = saving;
    this.#file = file;
    this.#isOrdered = isOrdered;
    this.#room = room;
  }

  add(item: Item): void {
    if (this.#isFull) return this.#save(item);
    this.#held.push(item);
    this.#weight += this.#saving.weigh(item);
    if (this.#held.length >= this.#room.items || this.#weight >= this.#room.bytes) this.#moveToFile();
  }

  /** All of them; nothing may be added any more. */
  list(): Listed<Item> {
    if (!this.#isFull) return this.#held;
    if (this.#isOrdered) this.#placed.sort(byKey);
    const [placed, saving] = [this.#placed, this.#saving];
    const listed: Ordered<Item> = {
      isOrdered: true,
      length: placed.length,
      [Symbol.iterator]: () => itemsOf(placed, saving),
    };
    return listed;
  }

  /** All of them, written to the file. */
  written(): readonly Saved[] {
    this.#moveToFile();
    return this.#placed.map(({ key, from, headBytes, bodyBytes }) => ({ key, from, headBytes, bodyBytes }));
  }

  /** Adds what stands in another file. */
  addWritten(file: TemporaryFile, saved: readonly Saved[]): void {
    if (saved.length === 0) return;
    this.#moveToFile();
    for (const one of saved) this.#placed.push({ ...one, file });
  }

  #moveToFile(): void {
    this.#isFull = true;
    for (const item of this.#held) this.#save(item);
    this.#held = [];
  }

  #save(item: Item): void {
    const { head, body } = this.#saving.save(item);
    const [file, key] = [this.#file(), this.#saving.keyOf(item)];
    const [from, headBytes] = [file.length, Buffer.byteLength(head)];
    file.append(head + body);
    this.#placed.push({ key, file, from, headBytes, bodyBytes: file.length - from - headBytes });
  }
}

function byKey(a: Placed, b: Placed): number {
  return byPlace(a.key.place, b.key.place) || compare(a.key.second, b.key.second);
}

function* itemsOf<Item>(placed: readonly Placed[], saving: Saving<Item>): Generator<Item> {
  for (const { file, from, headBytes, bodyBytes } of placed) {
    const bytes = file.read(from, headBytes + bodyBytes);
    yield saving.read({
      head: bytes.toString("utf8", 0, headBytes),
      body: bytes.toString("utf8", headBytes),
    });
  }
}
