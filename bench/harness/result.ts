/** A row of the printed table, and an element of the saved JSON. */
export interface Result {
  readonly name: string;
  /** Name of its goal in docs/performance.md; null without a goal. */
  readonly row: string | null;
  /** Median over the rounds; NaN (null in JSON) if it could not be measured. */
  readonly value: number;
  /** `power` is an exponent: 1 is linear growth. */
  readonly unit: "x" | "µs" | "ms" | "B" | "MiB" | "power" | "";
  /** For example `>= 8`; null without a goal. */
  readonly goal: string | null;
  /** Null without a goal. */
  readonly holds: boolean | null;
  /** Lowest and highest value of the rounds. */
  readonly spread: readonly [low: number, high: number];
  /** The value of each round, in order. */
  readonly rounds: readonly number[];
  /** Whether smaller or larger values are better. */
  readonly better: "less" | "more";
  /** The measured quantity in words, or the reason why it could not be measured. */
  readonly what: string;
}

export type Goal = { readonly atLeast: number } | { readonly atMost: number };

export interface Told {
  readonly name: string;
  readonly row?: string;
  readonly what: string;
  readonly unit?: Result["unit"];
  readonly goal?: Goal;
  /** For ratios without a goal for which larger values are better. */
  readonly better?: "more";
}

/** Median and spread of the rounds, compared with the goal. */
export function conclude(told: Told, rounds: readonly number[]): Result {
  const { name, what, unit = "x", goal } = told;
  const row = told.row ?? null;
  const sorted = rounds.toSorted((a, b) => a - b);
  const value = median(sorted);
  const spread = [sorted[0] ?? Number.NaN, sorted[sorted.length - 1] ?? Number.NaN] as const;
  const measured = { name, row, value, unit, spread, rounds, what };
  if (goal === undefined) return { ...measured, goal: null, holds: null, better: told.better ?? "less" };
  const atLeast = "atLeast" in goal;
  const holds = atLeast ? value >= goal.atLeast : value <= goal.atMost;
  return {
    ...measured,
    goal: atLeast ? `>= ${short(goal.atLeast)}` : `<= ${short(goal.atMost)}`,
    holds,
    better: atLeast ? "more" : "less",
  };
}

/** The result if a figure could not be measured. */
export function failed(name: string, row: string | null, error: unknown): Result {
  const what = `could not be measured: ${error instanceof Error ? error.message : String(error)}`;
  const spread = [Number.NaN, Number.NaN] as const;
  return {
    name,
    row,
    value: Number.NaN,
    unit: "",
    goal: null,
    holds: false,
    spread,
    rounds: [],
    better: "less",
    what,
  };
}

/** The result if a figure does not apply, for example because a program is not installed. It is not a failure. */
export function leftOut(name: string, why: string): Result {
  return { ...failed(name, null, why), holds: null, what: why };
}

/** Whether a figure that applies could not be measured. */
export function isFailed({ value, holds, rounds }: Result): boolean {
  return Number.isNaN(value) && (holds !== null || rounds.length > 0);
}

function median(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? Number.NaN) + high) / 2;
}

/** Rounds to three digits: 1/3 is 0.333. */
function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}
