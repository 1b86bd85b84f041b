/** Number of UTF-16 units that are compared, from the beginning of each text. */
const compared = 2_000;

/** Collapses white space and lowers the case of an answer, so that formatting is not a difference. */
export function normalizeAnswer(answer: string): string {
  return answer.split(/\s+/).filter(Boolean).join(" ").toLowerCase();
}

/**
 * Whether the similarity of two texts is at least `threshold`. The similarity is 2·L/(|a| + |b|), where L is
 * the length of the longest common subsequence of UTF-16 units. Two empty texts have a similarity of 1.
 * Myers' O(ND) search decides without computing the similarity, in time proportional to the allowed
 * difference.
 */
export function similarAtLeast(first: string, second: string, threshold: number): boolean {
  const a = first.slice(0, compared);
  const b = second.slice(0, compared);
  const allowed = Math.floor((a.length + b.length) * (1 - threshold) + 1e-9);
  if (Math.abs(a.length - b.length) > allowed) return false;
  return editDistanceWithin(a, b, allowed);
}

/** Whether at most `most` insertions and deletions turn text a into text b. */
function editDistanceWithin(a: string, b: string, most: number): boolean {
  // `reach[k]` is the furthest index in a that the edits so far reach on diagonal k − offset.
  const offset = most + 1;
  const reach = new Int32Array(2 * most + 3);
  for (let edits = 0; edits <= most; edits++) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const k = diagonal + offset;
      const left = reach[k - 1] ?? 0;
      const right = reach[k + 1] ?? 0;
      const down = diagonal === -edits || (diagonal !== edits && left < right);
      let x = down ? right : left + 1;
      while (x < a.length && x - diagonal < b.length && a.charCodeAt(x) === b.charCodeAt(x - diagonal)) x++;
      reach[k] = x;
      if (x >= a.length && x - diagonal >= b.length) return true;
    }
  }
  return false;
}
