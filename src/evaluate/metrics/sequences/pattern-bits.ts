/** Used bits of a 32-bit integer. With 30 bits, the sum of two numbers and a carry stays a small positive integer. */
export const WORD_BITS = 30;
export const WORD_MASK = (1 << WORD_BITS) - 1;

/** For each item of a sequence, such as a tool's name: a bit mask of its positions. */
export interface PatternBits {
  readonly words: number;
  readonly masks: ReadonlyMap<string, Int32Array>;
}

export function patternBits(pattern: readonly string[]): PatternBits {
  const words = Math.max(1, Math.ceil(pattern.length / WORD_BITS));
  const masks = new Map<string, Int32Array>();
  for (let at = 0; at < pattern.length; at++) {
    const symbol = pattern[at] as string;
    let mask = masks.get(symbol);
    if (mask === undefined) masks.set(symbol, (mask = new Int32Array(words)));
    const word = Math.floor(at / WORD_BITS);
    mask[word] = (mask[word] as number) | (1 << (at % WORD_BITS));
  }
  return { words, masks };
}

/** Returns the number of equal items at the start of two sequences. */
export function commonPrefix(a: readonly string[], b: readonly string[]): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a[at] === b[at]) at++;
  return at;
}

/** Returns the number of equal items at the end of two sequences, not counting the first `from` items. */
export function commonSuffix(a: readonly string[], b: readonly string[], from: number): number {
  const end = Math.min(a.length, b.length) - from;
  let count = 0;
  while (count < end && a[a.length - 1 - count] === b[b.length - 1 - count]) count++;
  return count;
}
