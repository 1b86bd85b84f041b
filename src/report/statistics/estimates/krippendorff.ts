export type MeasurementLevel = "nominal" | "ordinal" | "interval";

/** Sorted values, and how often each pair of values occurs in one unit. */
interface Coincidences {
  readonly values: readonly number[];
  /**
   * Weighted number of pairs of the values i and j within units. The pairs of one unit have a total weight
   * equal to its number of ratings.
   */
  readonly cells: readonly (readonly number[])[];
  readonly totals: readonly number[];
}

function coincidences(units: readonly (readonly (number | null)[])[]): Coincidences {
  const rated = units.map((unit) => unit.filter((value) => value !== null)).filter((unit) => unit.length > 1);
  const values = [...new Set(rated.flat())].sort((a, b) => a - b);
  const position = new Map(values.map((value, index) => [value, index]));
  const cells = values.map(() => values.map(() => 0));
  for (const unit of rated) {
    for (const [i, one] of unit.entries()) {
      const row = cells[position.get(one) ?? 0] ?? [];
      for (const [j, other] of unit.entries()) {
        const column = position.get(other) ?? 0;
        if (i !== j) row[column] = (row[column] ?? 0) + 1 / (unit.length - 1);
      }
    }
  }
  return { values, cells, totals: cells.map((row) => row.reduce((total, cell) => total + cell, 0)) };
}

/** Returns the squared difference between the values at indexes i ≤ j. */
function difference(table: Coincidences, level: MeasurementLevel, i: number, j: number): number {
  if (i === j) return 0;
  if (level === "nominal") return 1;
  if (level === "interval") return ((table.values[j] ?? 0) - (table.values[i] ?? 0)) ** 2;
  const ends = ((table.totals[i] ?? 0) + (table.totals[j] ?? 0)) / 2;
  return (table.totals.slice(i, j + 1).reduce((total, count) => total + count, 0) - ends) ** 2;
}

/**
 * Returns Krippendorff's alpha: 1 − observed / expected disagreement. 1 is full agreement, 0 is agreement by
 * chance. Units with fewer than two ratings are left out. Returns null if no unit has two ratings, or if all
 * ratings are equal. Source: Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011).
 * @param units ratings of each rated unit, one for each rater; null for a missing rating
 */
export function krippendorffAlpha(
  units: readonly (readonly (number | null)[])[],
  level: MeasurementLevel,
): number | null {
  const table = coincidences(units);
  const ratings = table.totals.reduce((total, count) => total + count, 0);
  let observed = 0;
  let expected = 0;
  for (let i = 0; i < table.values.length; i++) {
    for (let j = i + 1; j < table.values.length; j++) {
      const apart = difference(table, level, i, j);
      observed += (table.cells[i]?.[j] ?? 0) * apart;
      expected += (table.totals[i] ?? 0) * (table.totals[j] ?? 0) * apart;
    }
  }
  return expected === 0 ? null : 1 - ((ratings - 1) * observed) / expected;
}
