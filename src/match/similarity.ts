/**
 * How alike two normalised texts are in wording, 0 to 1: twice the length of their longest common subsequence of characters over
 * the sum of their lengths; or the same of their words in alphabetical order, so that word order does not count, if
 * that is more. Symmetric, 1 for equal texts, without any language model.
 */
export function similarity(a: string, b: string): number {
  if (a === b) return 1;
  return Math.max(ratio(a, b), ratio(sortedWords(a), sortedWords(b)));
}

/** No similarity of texts of these lengths is greater. */
export function similarityBound(aLength: number, bLength: number): number {
  const sum = aLength + bLength;
  return sum === 0 ? 1 : (2 * Math.min(aLength, bLength)) / sum;
}

function ratio(a: string, b: string): number {
  const sum = a.length + b.length;
  return sum === 0 ? 1 : (2 * commonSubsequence(a, b)) / sum;
}

function sortedWords(text: string): string {
  return text.split(" ").sort().join(" ");
}

const wordBits = 30;

/**
 * Length of the longest common subsequence, 30 cells of the table at a time: each row is a number of bits, a zero where the length
 * grows (Hyyrö 2004, "Bit-parallel LCS-length computation revisited").
 */
function commonSubsequence(a: string, b: string): number {
  const words = Math.ceil(a.length / wordBits);
  const full = 2 ** wordBits - 1;
  const masks = positionMasks(a, words);
  const row = new Int32Array(words).fill(full);
  for (let j = 0; j < b.length; j++) {
    const mask = masks.get(b.charCodeAt(j));
    if (!mask) continue;
    let carry = 0;
    for (let w = 0; w < words; w++) {
      const bits = row[w] ?? 0;
      const matched = bits & (mask[w] ?? 0);
      const sum = bits + matched + carry;
      carry = sum > full ? 1 : 0;
      row[w] = (sum & full) | (bits & ~matched);
    }
  }
  let length = 0;
  for (let at = 0; at < a.length; at++)
    if (((row[Math.floor(at / wordBits)] ?? 0) & (1 << (at % wordBits))) === 0) length++;
  return length;
}

function positionMasks(text: string, words: number): Map<number, Int32Array> {
  const masks = new Map<number, Int32Array>();
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    let mask = masks.get(code);
    if (!mask) masks.set(code, (mask = new Int32Array(words)));
    const word = Math.floor(at / wordBits);
    mask[word] = (mask[word] ?? 0) | (1 << (at % wordBits));
  }
  return masks;
}
