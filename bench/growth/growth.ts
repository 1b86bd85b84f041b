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
  /** What is counted as a size, in words: `spans in a trace`. */
  readonly of: string;
  /** Whether a step's costs are those of all of that size, or of each one of them. */
  readonly costs: "of all" | "of each";
  /** The power that is still asked for; where nothing else is said, a little more than linear. */
  readonly atMost?: number;
  /** The size from which the power is computed; where nothing is said, a hundredth of the largest: below it what is paid once hides what grows. */
  readonly from?: number;
}

const LINEAR = 1.1;

/** Each step as a figure of its own, and the power of the size that the costs grow with. */
export function figuresOf(curve: Curve): Result[] {
  const { name, what, unit, steps } = curve;
  const own = steps.map(({ size, costs }) => conclude({ name: `${name}.${size}`, what, unit }, costs));
  return [...own, powerFigure(curve)];
}

function powerFigure({ name, what, steps, of, costs, atMost = LINEAR, from }: Curve): Result {
  const largest = Math.max(...steps.map(({ size }) => size));
  const least = from ?? largest / 100;
  const upper = steps.filter(({ size }) => size >= least);
  const powers = powersOf(upper).map((power) => (costs === "of each" ? power + 1 : power));
  const kind = atMost < 1 ? "0 is none" : "1 is linear";
  const told = `power of the ${of} from ${upper[0]?.size} on (${kind}): ${what}`;
  return conclude(
    { name: `${name}.power`, row: "growth", what: told, unit: "power", goal: { atMost } },
    powers,
  );
}

/** For each round the power of the size that costs grow with: the slope of their logs, fitted by least squares. NaN for fewer than two steps. */
export function powersOf(steps: readonly Step[]): number[] {
  const sizes = steps.map(({ size }) => Math.log(size));
  const middle = mean(sizes);
  const spread = sizes.reduce((sum, size) => sum + (size - middle) ** 2, 0);
  return (steps[0]?.costs ?? []).map((_, round) => {
    const costs = steps.map((step) => Math.log(step.costs[round] ?? Number.NaN));
    const together = costs.reduce((sum, cost, at) => sum + ((sizes[at] ?? 0) - middle) * cost, 0);
    return together / spread;
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The costs of a step against those of another, round by round. */
export function against(name: string, goal: Goal, what: string, large: Step, small: Step): Result {
  const ratios = large.costs.map((cost, round) => cost / (small.costs[round] ?? Number.NaN));
  return conclude({ name, row: "growth", what, goal }, ratios);
}

/** The step of a size. @throws RangeError when there is none */
export function at(steps: readonly Step[], size: number): Step {
  const step = steps.find((one) => one.size === size);
  if (step === undefined) throw new RangeError(`no step of ${size}`);
  return step;
}

/** Steps of what `measure` gives: for each round a cost of each size. @param per what a cost is divided by, given its size */
export function stepsOf(
  sizes: readonly number[],
  rounds: readonly (readonly number[])[],
  per: (size: number) => number,
): Step[] {
  return sizes.map((size, index) => ({
    size,
    costs: rounds.map((costs) => (costs[index] ?? Number.NaN) / per(size)),
  }));
}
