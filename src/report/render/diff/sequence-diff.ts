/** One line of the alignment of two sequences. */
export interface SequenceLine {
  readonly how: "same" | "missing" | "extra";
  readonly name: string;
  /** Index of the item in the actual sequence. Null for an item that is only in the expected sequence. */
  readonly at: number | null;
}

/**
 * Aligns an expected and an actual sequence by their longest common subsequence. An item that only the expected sequence has is `missing`;
 * an item that only the actual sequence has is `extra`. Time and memory grow with the product of both lengths.
 */
export function sequenceDiff(
  expected: readonly string[],
  called: readonly string[],
): readonly SequenceLine[] {
  const rows = expected.length + 1;
  const columns = called.length + 1;
  const common = Array.from({ length: rows }, () => new Uint32Array(columns));
  const get = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = expected.length - 1; i >= 0; i--) {
    const row = common[i];
    if (row === undefined) continue;
    for (let j = called.length - 1; j >= 0; j--) {
      row[j] = expected[i] === called[j] ? get(i + 1, j + 1) + 1 : Math.max(get(i + 1, j), get(i, j + 1));
    }
  }
  const lines: SequenceLine[] = [];
  let i = 0;
  let j = 0;
  while (i < expected.length || j < called.length) {
    const wanted = expected[i];
    const used = called[j];
    if (wanted !== undefined && wanted === used) {
      lines.push({ how: "same", name: wanted, at: j++ });
      i++;
    } else if (wanted !== undefined && (used === undefined || get(i + 1, j) >= get(i, j + 1))) {
      lines.push({ how: "missing", name: wanted, at: null });
      i++;
    } else if (used !== undefined) lines.push({ how: "extra", name: used, at: j++ });
  }
  return lines;
}
