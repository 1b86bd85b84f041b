import { conclude, type Goal, type Result } from "../harness/result.ts";

/** What one step of a curve took, at a size. */
export interface Step {
  readonly size: number;
  /** For each round. */
  readonly costs: readonly number[];
}

export interface Curve {
  readonly name: string;
  readonly what: string;
  readonly unit: Result["unit"];
  readonly steps: readonly Step[];
}

/** Each step as a figure of its own. */
export function stepsOf({ name, what, unit, steps }: Curve): Result[] {
  return steps.map(({ size, costs }) => conclude({ name: `${name}.${size}`, what, unit }, costs));
}

/** The costs of a step against those of another, round by round. */
export function against(name: string, goal: Goal, what: string, large: Step, small: Step): Result {
  const ratios = large.costs.map((cost, round) => cost / (small.costs[round] ?? Number.NaN));
  return conclude({ name, row: "growth", what, goal }, ratios);
}

/** The power of the size that costs grow with between two steps: 1 is linear, 0 is not at all. */
export function power(name: string, goal: Goal, what: string, large: Step, small: Step): Result {
  const sizes = Math.log(large.size / small.size);
  const powers = large.costs.map(
    (cost, round) => Math.log(cost / (small.costs[round] ?? Number.NaN)) / sizes,
  );
  return conclude({ name, row: "growth", what, unit: "", goal }, powers);
}

/** The step of a size. @throws RangeError when there is none */
export function at(steps: readonly Step[], size: number): Step {
  const step = steps.find((one) => one.size === size);
  if (step === undefined) throw new RangeError(`no step of ${size}`);
  return step;
}
