/** One line of the table, and one element of the JSON. */
export interface Result {
  readonly name: string;
  /** Median over the rounds. */
  readonly value: number;
  readonly unit: "x" | "µs" | "B";
  /** For example `>= 8`; null where a figure is only told. */
  readonly goal: string | null;
  /** Null without a goal. */
  readonly holds: boolean | null;
  /** Lowest and highest round. */
  readonly spread: readonly [low: number, high: number];
  /** What was divided by what, in words. */
  readonly what: string;
}

export type Goal = { readonly atLeast: number } | { readonly atMost: number };

export interface Told {
  readonly name: string;
  readonly what: string;
  readonly unit?: Result["unit"];
  readonly goal?: Goal;
}

/** Median and spread of the rounds, held against the goal. */
export function conclude({ name, what, unit = "x", goal }: Told, rounds: readonly number[]): Result {
  const sorted = rounds.toSorted((a, b) => a - b);
  const value = median(sorted);
  const spread = [sorted[0] ?? Number.NaN, sorted[sorted.length - 1] ?? Number.NaN] as const;
  if (goal === undefined) return { name, value, unit, goal: null, holds: null, spread, what };
  const atLeast = "atLeast" in goal;
  const holds = atLeast ? value >= goal.atLeast : value <= goal.atMost;
  return {
    name,
    value,
    unit,
    goal: atLeast ? `>= ${goal.atLeast}` : `<= ${goal.atMost}`,
    holds,
    spread,
    what,
  };
}

function median(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? Number.NaN) + high) / 2;
}
