/**
 * Returns the candidate that a misspelt name probably means; undefined if none is similar. Candidates are preferred in this order: the same
 * words in another spelling, singular or plural; one misspelt word; all words of the name plus others (`max_usd`, `max_cost_usd`); the
 * smallest edit distance. Ignores case and separators.
 */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  const names = [...candidates];
  return (
    names.find((name) => isSameName(word, name)) ??
    names.find((name) => isSlip(word, name)) ??
    fewestWords(names.filter((name) => hasAllWords(word, name))) ??
    nearest(word, names)
  );
}

/** Returns the hint for an unknown name: the similar candidate, or `otherwise` if none is similar. */
export function nearHint<Otherwise extends string | null>(
  word: string,
  candidates: Iterable<string>,
  otherwise: Otherwise,
): string | Otherwise {
  const near = suggest(word, candidates);
  return near === undefined ? otherwise : `did you mean \`${near}\`?`;
}

/** Whether two names differ only in case, separators, plural or one misspelt word, so that `word` can only mean `name`. */
export function isCertainName(word: string, name: string): boolean {
  return isSameName(word, name) || isSlip(word, name);
}

/** Minimum length of a word that may be misspelt. In shorter words, one letter can make another word: `get_user`, `set_user`. */
const SHORTEST_SLIP = 4;
const LONG_WORD = 8;

/** Whether the names differ in exactly one word, by one letter (in a long word, by up to two letters). */
export function isSlip(name: string, other: string): boolean {
  const words = wordsOf(name);
  const others = wordsOf(other);
  if (words.length !== others.length) return false;
  const differing = words.flatMap((word, at) =>
    word === others[at] ? [] : [[word, others[at] ?? ""] as const],
  );
  const [first] = differing;
  if (first === undefined || differing.length > 1) return false;
  const length = Math.min(first[0].length, first[1].length);
  return length >= SHORTEST_SLIP && editDistance(...first) <= (length >= LONG_WORD ? 2 : 1);
}

function isSameName(name: string, other: string): boolean {
  return (
    fold(name) === fold(other) ||
    wordsOf(name).map(singular).join("_") === wordsOf(other).map(singular).join("_")
  );
}

/** Whether the other name contains all words of `name`, in this order. False if `name` has only one word. */
function hasAllWords(name: string, other: string): boolean {
  const words = wordsOf(name).map(singular);
  let found = 0;
  for (const word of wordsOf(other).map(singular)) if (word === words[found]) found++;
  return words.length > 1 && found === words.length;
}

/** Returns the name with the fewest words (the first of several); undefined if `names` is empty. */
function fewestWords(names: readonly string[]): string | undefined {
  return names.toSorted((a, b) => wordsOf(a).length - wordsOf(b).length)[0];
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

function wordsOf(name: string): readonly string[] {
  return name
    .slice(0, 100)
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

function nearest(word: string, candidates: readonly string[]): string | undefined {
  const folded = fold(word);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(folded.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(folded, fold(candidate), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function fold(word: string): string {
  return word
    .slice(0, 100)
    .toLowerCase()
    .replaceAll(/[\s_.-]/g, "");
}

/**
 * Returns the optimal string alignment distance: insertions, deletions, replacements and swaps of adjacent characters. Distances above
 * `limit` become `limit`.
 */
export function editDistance(a: string, b: string, limit = Infinity): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return Math.min(limit, last[b.length] ?? 0);
}
