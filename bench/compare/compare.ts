import { changeOf, type Change, LEAST_ROUNDS, roundsFor, type Scale } from "./change.ts";
import type { Figure } from "./saved.ts";

export interface Margins {
  /** Share that a figure may change by and still count as the same: 0.05. */
  readonly margin: number;
  /** Also judges times, which are no ratios: for runs of one machine that was as busy both times. */
  readonly times: boolean;
}

export type Verdict = "better" | "worse" | "same" | "cannot tell";

/** A figure of two runs. */
export interface Comparison {
  readonly name: string;
  readonly unit: string;
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly scale: Scale;
  /** Null where there is nothing to compare. */
  readonly change: Change | null;
  readonly verdict: Verdict;
  /** Why it cannot be determined, and what would help; empty otherwise. */
  readonly why: string;
}

/** All figures of either run, those of the newer one first, in their order. */
export function compareRuns(
  before: readonly Figure[],
  after: readonly Figure[],
  margins: Margins,
): Comparison[] {
  const names = new Set([...after, ...before].map(({ name }) => name));
  const find = (run: readonly Figure[], name: string) => run.find((one) => one.name === name);
  return [...names].map((name) => compareFigures(find(before, name), find(after, name), margins));
}

/** @param before undefined where that run has no such figure; the same for `after` */
export function compareFigures(
  before: Figure | undefined,
  after: Figure | undefined,
  margins: Margins,
): Comparison {
  const { name, unit } = after ?? before ?? { name: "", unit: "" };
  const scale = unit === "power" ? "difference" : "ratio";
  const untold = untoldOf(before, after, scale);
  const told = { name, unit, before: before?.rounds ?? [], after: after?.rounds ?? [], scale } as const;
  if (untold !== null) return { ...told, change: null, verdict: "cannot tell", why: untold };
  const change = changeOf(told.before, told.after, scale);
  return { ...told, change, ...judge(told, change, after?.better ?? null, margins) };
}

/** Why two figures have no change that could be told; null when they have. */
function untoldOf(before: Figure | undefined, after: Figure | undefined, scale: Scale): string | null {
  if (before === undefined) return "only in the newer run";
  if (after === undefined) return "only in the older run";
  for (const [when, { rounds }] of [["older", before] as const, ["newer", after] as const]) {
    if (rounds === null)
      return `the ${when} run was saved without its rounds: save it again with today's --json`;
    if (rounds.length === 0) return `the ${when} run could not measure it`;
    const odd = rounds.find((value) => value <= 0);
    if (scale === "ratio" && odd !== undefined)
      return `a round of the ${when} run is ${odd.toPrecision(2)}: nothing to make a ratio of`;
  }
  if (before.unit !== after.unit) return `in ${unitOf(before)} before, in ${unitOf(after)} now`;
  return null;
}

const unitOf = ({ unit }: Figure): string => (unit === "" ? "no unit" : unit);

type Judged = Pick<Comparison, "verdict" | "why">;
type Rounds = Pick<Comparison, "unit" | "before" | "after" | "scale">;

function judge(
  { unit, before, after, scale }: Rounds,
  { change, low, high }: Change,
  better: Figure["better"],
  { margin, times }: Margins,
): Judged {
  const rounds = Math.min(before.length, after.length);
  if (rounds < LEAST_ROUNDS) return cannotTell(`${rounds} of at least ${LEAST_ROUNDS} rounds; 9 would do`);
  if (["µs", "ms"].includes(unit) && !times)
    return cannotTell("a time, no ratio: it tells as much of the machine; --times judges it");
  const beyond = scale === "ratio" ? Math.log1p(margin) : margin;
  if (low > -beyond && high < beyond) return { verdict: "same", why: "" };
  if (low > beyond || high < -beyond) {
    if (better === null) return cannotTell("nothing says whether more or less of it is better");
    return { verdict: low > beyond === (better === "less") ? "worse" : "better", why: "" };
  }
  const wanted = Math.max(beyond, Math.abs(Math.abs(change) - beyond));
  const enough = roundsFor(wanted, Math.max(high - change, change - low), rounds);
  return cannotTell(
    enough === null
      ? `${rounds} rounds that far apart are too few, and so were 999`
      : `${rounds} rounds are too few, about ${enough} would do`,
  );
}

function cannotTell(why: string): Judged {
  return { verdict: "cannot tell", why };
}
