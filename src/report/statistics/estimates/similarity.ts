/** Maximum compared length, 2,000 UTF-16 units; of longer texts only the beginning is compared. */
const compared = 2_000;

/** Collapses white space and folds case, because formatting is not a difference. */
export function normalizeAnswer(answer: string): string {
  return answer.split(/\s+/).filter(Boolean).join(" ").toLowerCase();
}

/**
 * Whether two texts have a similarity of at least `threshold`. The similarity is 2·L/(|a| + |b|), where L is
 * the length of their longest common subsequence of UTF-16 units; 1 for equal texts, and for two empty ones.
 * The similarity itself is not returned, because the decision takes time proportional to the allowed
 * difference (Myers' O(ND) search) instead of the product of the lengths.
 */
export function similarAtLeast(first: string, second: string, threshold: number): boolean {
  const a = first.slice(0, compared);
  const b = second.slice(0, compared);
  const allowed = Math.floor((a.length + b.length) * (1 - threshold) + 1e-9);
  if (Math.abs(a.length - b.length) > allowed) return false;
  return editDistanceWithin(a, b, allowed);
}

/** Whether at most `most` insertions and deletions convert a into b. */
function editDistanceWithin(a: string, b: string, most: number): boolean {
  // reach[k]: position in a that the best path with the current number of edits reaches on diagonal k −
  // offset
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
