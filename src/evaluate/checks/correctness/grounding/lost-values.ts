import { damagedParts } from "./damaged.ts";
import { KnownValues } from "./known-values.ts";
import type { TextValue } from "./reading.ts";

/** Yields the values of a text of the evidence. */
type Read = (text: string) => Iterable<TextValue>;

interface LostValue {
  readonly before: string;
  readonly written: string;
  readonly behind: string;
  readonly read: Read;
}

const signs = /[\ufffd\u2588\u2591-\u2593\u25a0-\u25a2\u25ae\u25af]/u;
const runs = new RegExp(`${signs.source}+`, "gu");
/** Matches characters that a wrong encoding replaced. A replaced character can be a dash, space or mark instead of a digit. */
const replaced = /^\ufffd{1,3}$/;
const marks = ["", "-", ".", ",", " "];
const REACH = 40;
const MOST_LOST = 40;

/** Values that the evidence may have contained before it lost characters. */
export class LostValues {
  readonly #lost: LostValue[] = [];
  #hasMore = false;
  #possible: KnownValues | undefined;

  add(text: string, read: Read): void {
    for (const { start, end } of damagedParts(text)) {
      this.#hasMore ||= this.#lost.length >= MOST_LOST;
      if (this.#hasMore) return;
      const before = text.slice(Math.max(0, start - REACH), start);
      const behind = text.slice(end, end + REACH);
      this.#lost.push({
        before: start > REACH ? before.replace(/^\S+/, "") : before,
        written: text.slice(start, end),
        behind: end + REACH < text.length ? behind.replace(/\S+$/, "") : behind,
        read,
      });
      this.#possible = undefined;
    }
  }

  /** Whether a place with lost characters may have contained the value. */
  mayHold(value: TextValue): boolean {
    if (this.#hasMore) return true;
    if (this.#lost.length === 0) return false;
    this.#possible ??= this.#allPossible();
    const letters = compact(value.text);
    return this.#possible.has(value) || this.#lost.some(({ written }) => shapeOf(written).test(letters));
  }

  #allPossible(): KnownValues {
    const possible = new KnownValues();
    for (const { before, written, behind, read } of this.#lost)
      for (const filled of fillings(written))
        for (const value of read(before + filled + behind)) possible.add(value);
    return possible;
  }
}

/**
 * Returns the text with one or two lost characters replaced by every combination of digits. Characters that a wrong encoding replaced
 * (U+FFFD) are also replaced by marks such as `-`.
 */
function fillings(written: string): readonly string[] {
  const count = (written.match(runs) ?? []).join("").length;
  const digits =
    count > 2 ? [] : Array.from({ length: 10 ** count }, (_, at) => String(at).padStart(count, "0"));
  const filled = digits.map((fill) => {
    let next = 0;
    return written.replace(runs, ({ length }) => fill.slice(next, (next += length)));
  });
  const isReplaced = written.match(runs)?.every((run) => replaced.test(run)) === true;
  return isReplaced ? [...filled, ...marks.map((mark) => written.replace(runs, mark))] : filled;
}

/** Returns a pattern for the letters and digits of a damaged code. Each group of n lost characters matches 1 to n letters or digits. */
function shapeOf(written: string): RegExp {
  const shape = compact(written).replace(runs, ({ length }) => `[\\p{L}\\p{N}]{1,${length}}`);
  return new RegExp(`^${shape}$`, "u");
}

function compact(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}\ufffd\u2588\u2591-\u2593\u25a0-\u25a2\u25ae\u25af]/gu, "");
}
