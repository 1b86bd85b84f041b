import type { Row } from "../run/rows.ts";

/** A step of two runs; if only one of the runs has the step, the row of the other run is null. */
export interface RowPair {
  readonly a: Row | null;
  readonly b: Row | null;
}

/**
 * Maximum size of the alignment table. If the runs are too long for it, only their first steps are aligned, and all further steps stay
 * unpaired.
 */
const MOST_CELLS = 4_000_000;

/**
 * Aligns the steps of two runs without changing their order. A pair of steps with the same kind and name scores 2, and 3 if the input is
 * also the same; the pairs have the largest possible total. For model calls, the name of the model is ignored.
 */
export function alignSteps(a: readonly Row[], b: readonly Row[]): readonly RowPair[] {
  const start = commonStart(a, b);
  const middleA = a.slice(start);
  const middleB = b.slice(start);
  const most = Math.floor(Math.sqrt(MOST_CELLS));
  const [headA, headB] = [middleA.slice(0, most), middleB.slice(0, most)];
  return [
    ...a.slice(0, start).map((row, at) => ({ a: row, b: b[at] ?? null })),
    ...alignByScore(headA, headB),
    ...middleA.slice(most).map((row) => ({ a: row, b: null })),
    ...middleB.slice(most).map((row) => ({ a: null, b: row })),
  ];
}

function commonStart(a: readonly Row[], b: readonly Row[]): number {
  const differing = a.findIndex((row, at) => score(row, b[at]) < 3);
  return differing < 0 ? a.length : differing;
}

/** Returns the alignment with the largest total score. It is computed in the same way as a longest common subsequence. */
function alignByScore(a: readonly Row[], b: readonly Row[]): RowPair[] {
  const best = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  const get = (i: number, j: number): number => best[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    const row = best[i];
    if (row === undefined) continue;
    for (let j = b.length - 1; j >= 0; j--) {
      const own = score(a[i], b[j]);
      const paired = own === 0 ? 0 : own + get(i + 1, j + 1);
      row[j] = Math.max(paired, get(i + 1, j), get(i, j + 1));
    }
  }
  const pairs: RowPair[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [rowA = null, rowB = null] = [a[i], b[j]];
    const own = score(rowA, rowB);
    if (own > 0 && get(i, j) === own + get(i + 1, j + 1)) {
      pairs.push({ a: rowA, b: rowB });
      i++;
      j++;
    } else if (rowA !== null && (rowB === null || get(i, j) === get(i + 1, j))) {
      pairs.push({ a: rowA, b: null });
      i++;
    } else {
      pairs.push({ a: null, b: rowB });
      j++;
    }
  }
  return pairs;
}

/** Returns the score of a pair of steps. 0: different steps. 2: the same kind and name. 3: the same kind, name and input. */
function score(a: Row | null | undefined, b: Row | null | undefined): number {
  if (a == null || b == null || nameOfStep(a) !== nameOfStep(b)) return 0;
  return a.kind === "model" || a.detail === b.detail ? 3 : 2;
}

function nameOfStep({ kind, name, to }: Row): string {
  if (kind === "tool" || kind === "guardrail") return `${kind} ${name}`;
  return kind === "handoff" ? `handoff ${to ?? ""}` : kind;
}
