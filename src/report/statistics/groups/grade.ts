export type Grade = "A" | "B" | "C" | "D" | "F";

const grades = [
  { grade: "A", from: 0.95 },
  { grade: "B", from: 0.85 },
  { grade: "C", from: 0.75 },
  { grade: "D", from: 0.65 },
] as const;

/**
 * The letter for a score in 0–1: A from 0.95, B from 0.85, C from 0.75, D from 0.65, else F; unrounded,
 * equality is enough (ProjectScylla's metrics document; its code has other limits by now).
 */
export function letterGrade(score: number): Grade {
  return grades.find(({ from }) => score >= from)?.grade ?? "F";
}

/**
 * (pass·w₁ + quality·w₂)/(w₁ + w₂): whether a run passed and how well, in one number; in [0, 1] for inputs
 * there (ProjectScylla's composite score, its weights 0.5 each). Null when the weights do not add up to more
 * than 0.
 */
export function compositeScore(
  pass: number,
  quality: number,
  passWeight = 0.5,
  qualityWeight = 0.5,
): number | null {
  const total = passWeight + qualityWeight;
  return total > 0 ? (pass * passWeight + quality * qualityWeight) / total : null;
}
