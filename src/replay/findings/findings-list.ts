import type { Listed, Ordered } from "../../report/render/findings/listed.ts";
import { byPlace, compare } from "../../report/render/findings/reported.ts";
import type { Key, Saving } from "../../report/render/findings/saved-findings.ts";
import type { TemporaryFile } from "./temporary-file.ts";

/** Maximum number of the findings in memory, and their maximum size in bytes. The findings of a small dump stay in memory. */
export interface Room {
  readonly items: number;
  readonly bytes: number;
}

/** Position of a finding in its file, and its sort key. */
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

/**
 * Findings of one kind. The findings stay in memory until they reach a limit in `Room`. Then all findings are written to a temporary file,
 * and memory contains only their positions and sort keys.
 */
export class FindingsList<Item> {
  readonly #saving: Saving<Item>;
  readonly #file: () => TemporaryFile;
  readonly #isOrdered: boolean;
  readonly #room: Room;
  readonly #placed: Placed[] = [];
  #held: Item[] = [];
  #weight = 0;
  /** Whether findings are in the file, because a limit was reached, or because findings are passed to or received from another thread. */
  #isFull = false;

  /** @param isOrdered true to sort findings for reports, false to return them in order of arrival */
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

  /** Returns all findings. Call `list` after the last `add`. */
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

  /** Writes all findings to the file, and returns their positions. */
  written(): readonly Saved[] {
    this.#moveToFile();
    return this.#placed.map(({ key, from, headBytes, bodyBytes }) => ({ key, from, headBytes, bodyBytes }));
  }

  /** Adds findings that another thread has written to a file. */
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
