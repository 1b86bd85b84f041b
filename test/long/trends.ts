import { changePoints } from "../../src/report/statistics/change-points/change-points.ts";
import { type FoundChange, newChanges } from "../../src/report/statistics/change-points/new-changes.ts";
import type { TimeSeries } from "../../src/report/statistics/change-points/bins.ts";
import { createRandom, type Random } from "../../src/report/statistics/samples/random.ts";

/*
 * `npm run long -- trends [SERIES] [SEED] [LOOKS A DAY]`: simulates queries with a pass rate, a cost, a latency and tokens over sixty days, of which the last thirty
 * are looked at once a day, as a running collector does. Prints how many queries without a change have a false alarm in that month, and what
 * share of changes of a known size is found within two days of data, and how many alerts a found change gets over all looks (as
 * `collector/evaluation/change-watch.ts` counts them). Ends with 1 when more than 5 % or fewer than 90 % are.
 */

const count = Number(process.argv[2] ?? 500);
const seed = Number(process.argv[3] ?? 1);
const looksADay = Number(process.argv[4] ?? 1);
const DAY = 86_400_000;
const DAYS = 60;
const LOOKS = 30;
const days = Array.from(
  { length: (LOOKS - 1) * looksADay + 1 },
  (_, look) => DAYS - LOOKS + 1 + look / looksADay,
);
const start = Date.UTC(2026, 0, 5);

/** How the values of one measure come about. */
interface Measure {
  readonly name: string;
  readonly sd: (level: number) => number;
  readonly mean: (level: number) => number;
  readonly draw: (random: Random, level: number) => number;
}

const lognormal = (sigma: number): Measure => ({
  name: `lognormal (sigma ${sigma})`,
  mean: (level) => level * Math.exp((sigma * sigma) / 2),
  sd: (level) => level * Math.exp((sigma * sigma) / 2) * Math.sqrt(Math.exp(sigma * sigma) - 1),
  draw: (random, level) => level * Math.exp(sigma * random.normal()),
});

/** Pareto's distribution: a variance, no third moment. */
const pareto = (alpha: number): Measure => ({
  name: `Pareto (alpha ${alpha})`,
  mean: (level) => (level * alpha) / (alpha - 1),
  sd: (level) => (level / (alpha - 1)) * Math.sqrt(alpha / (alpha - 2)),
  draw: (random, level) => level * (1 - random.uniform()) ** (-1 / alpha),
});

/** Student's t with three degrees of freedom around the level. */
const heavy: Measure = {
  name: "Student t (3)",
  mean: (level) => level,
  sd: () => Math.sqrt(3),
  draw: (random, level) => {
    const squares = random.normal() ** 2 + random.normal() ** 2 + random.normal() ** 2;
    return level + random.normal() / Math.sqrt(squares / 3);
  },
};

const binomial: Measure = {
  name: "binomial",
  mean: (rate) => rate,
  sd: (rate) => Math.sqrt(rate * (1 - rate)),
  draw: (random, rate) => (random.uniform() < rate ? 1 : 0),
};

const measures = [binomial, lognormal(1), pareto(2.5), heavy] as const;

interface Query {
  /** Runs of each day. */
  readonly runs: readonly number[];
  readonly rate: number;
}

function poisson(random: Random, mean: number): number {
  if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.normal()));
  const limit = Math.exp(-mean);
  let k = 0;
  for (let product = random.uniform(); product > limit; product *= random.uniform()) k++;
  return k;
}

/** 10 to 300 runs on a weekday, half of it at weekends. */
function queryOf(random: Random): Query {
  const perDay = 10 * 30 ** random.uniform();
  return {
    runs: Array.from({ length: DAYS }, (_, day) => poisson(random, day % 7 < 5 ? perDay : perDay / 2)),
    rate: 0.3 + 0.69 * random.uniform(),
  };
}

interface Change {
  /** In days from the start. */
  readonly at: number;
  readonly level: number;
}

function series(
  random: Random,
  { runs }: Query,
  measure: Measure,
  level: number,
  change?: Change,
): TimeSeries {
  const observed = runs.flatMap((many, day) =>
    Array.from({ length: many }, () => {
      const at = day + random.uniform();
      const now = change !== undefined && at >= change.at ? change.level : level;
      return { unixMs: start + at * DAY, value: measure.draw(random, now) };
    }),
  );
  const ordered = observed.toSorted((a, b) => a.unixMs - b.unixMs);
  return {
    times: Float64Array.from(ordered, ({ unixMs }) => unixMs),
    values: Float64Array.from(ordered, ({ value }) => value),
  };
}

/** What a look at the end of a day sees: thirty days. */
function seen({ times, values }: TimeSeries, day: number): TimeSeries {
  const begin = times.findIndex((at) => at >= start + (day - 30) * DAY);
  const end = times.findLastIndex((at) => at < start + day * DAY) + 1;
  return { times: times.subarray(begin, end), values: values.subarray(begin, end) };
}

/** Where the mean of a day moves by so many of its standard errors, taken of the less certain of both levels; null where no level does. */
function changedLevel(measure: Measure, level: number, errors: number, runs: number): number | null {
  const reached = (other: number): number =>
    Math.abs(measure.mean(other) - measure.mean(level)) /
    (Math.max(measure.sd(level), measure.sd(other)) / Math.sqrt(runs));
  const steps = measure === binomial ? 1 : level === 0 ? 30 : level * 30;
  const sign = errors < 0 ? -1 : 1;
  for (let i = 1; i <= 3000; i++) {
    const other = level + (sign * steps * i) / 3000;
    if (measure !== heavy && (other <= 0 || (measure === binomial && other >= 1))) return null;
    if (reached(other) >= Math.abs(errors)) return other;
  }
  return null;
}

/** Queries with a false alarm in any measure, and by measure. */
function falseAlarms(random: Random, queries: number): Record<string, number> {
  const alarmed: Record<string, number> = { all: 0 };
  const add = (name: string): number => (alarmed[name] = (alarmed[name] ?? 0) + 1);
  for (let i = 0; i < queries; i++) {
    const query = queryOf(random);
    const alarms = measures.filter((measure) => {
      const whole = series(random, query, measure, levelOf(measure, query));
      return days.some((day) => changePoints(seen(whole, day), DAY).length > 0);
    });
    for (const { name } of alarms) add(name);
    if (alarms.length > 0) add("all");
  }
  return Object.fromEntries(Object.entries(alarmed).map(([name, many]) => [name, many / queries]));
}

function levelOf(measure: Measure, { rate }: Query): number {
  return measure === binomial ? rate : measure === heavy ? 0 : 1;
}

/** Whether a change at `at` is found by the looks within two days of data after it, its side and its place being right. */
function isFound(whole: TimeSeries, change: Change, isUp: boolean): boolean {
  for (let day = Math.ceil(change.at + 1e-9); day <= change.at + 2; day++) {
    const found = changePoints(seen(whole, day), DAY).at(-1);
    if (
      found !== undefined &&
      (found.direction === "up") === isUp &&
      found.highUnixMs >= start + (change.at - 2) * DAY
    )
      return true;
  }
  return false;
}

function power(
  random: Random,
  queries: number,
  errors: number,
  timeOfDay: () => number,
): Record<string, number> {
  const found = new Map<string, [number, number]>();
  for (let i = 0; i < queries; i++) {
    const query = queryOf(random);
    const measure = measures[i % measures.length] ?? binomial;
    const level = levelOf(measure, query);
    const at = DAYS - 3 - random.below(LOOKS - 5) + timeOfDay();
    const runs = ((query.runs[Math.floor(at)] ?? 0) + (query.runs[Math.floor(at) + 1] ?? 0)) / 2;
    const sign = random.uniform() < 0.5 ? -1 : 1;
    const other =
      changedLevel(measure, level, sign * errors, runs) ?? changedLevel(measure, level, -sign * errors, runs);
    if (other === null || runs < 5) {
      i--;
      continue;
    }
    const change = { at, level: other };
    const counts = found.get(measure.name) ?? [0, 0];
    if (isFound(series(random, query, measure, level, change), change, other > level)) counts[0]++;
    counts[1]++;
    found.set(measure.name, counts);
  }
  const shares = [...found].map(
    ([name, [hits, all]]) => [name, Math.round((1000 * hits) / all) / 1000] as const,
  );
  const hits = [...found.values()].reduce((sum, [one]) => sum + one, 0);
  return { all: Math.round((1000 * hits) / queries) / 1000, ...Object.fromEntries(shares) };
}

/** How many alerts of its direction each found change gets over the looks of the month after it: by count, and the share with one. */
function alertsOfChanges(random: Random, queries: number): Record<string, number> {
  const counts: Record<string, number> = {};
  let [found, once] = [0, 0];
  for (let i = 0; i < queries; i++) {
    const query = queryOf(random);
    const measure = measures[i % measures.length] ?? binomial;
    const level = levelOf(measure, query);
    const at = DAYS - LOOKS + random.below(5) + random.uniform();
    const other = changedLevel(measure, level, i % 8 < 4 ? 4 : 8, query.runs[Math.floor(at)] ?? 0);
    if (other === null) continue;
    const whole = series(random, query, measure, level, { at, level: other });
    const alerts = alertsOf(whole, other > level ? "up" : "down");
    if (alerts === 0) continue;
    counts[`${alerts}`] = (counts[`${alerts}`] ?? 0) + 1;
    found++;
    if (alerts === 1) once++;
  }
  return { found, ...counts, share_with_one: Math.round((1000 * once) / found) / 1000 };
}

function alertsOf(whole: TimeSeries, direction: "up" | "down"): number {
  const known: FoundChange[] = [];
  for (const day of days) {
    const trend = changePoints(seen(whole, day), DAY).map((change) => ({ measure: "value", ...change }));
    known.push(...newChanges(trend, known, DAY));
  }
  return known.filter((one) => one.direction === direction).length;
}

const random = createRandom(seed);
const alarmed = falseAlarms(random, count);
const midnight = (): number => 0;
const four = power(random, count, 4, midnight);
const result = {
  queries: count,
  false_alarms_a_query_and_month: alarmed,
  found_within_two_days: {
    "4 standard errors": four,
    "4 standard errors, at any time of the day": power(random, count, 4, () => random.uniform()),
    "3 standard errors": power(random, count, 3, midnight),
    "2 standard errors": power(random, count, 2, midnight),
  },
  alerts_a_found_change: alertsOfChanges(random, count),
};
console.log(JSON.stringify(result, null, 2));
if ((alarmed["all"] ?? 0) > 0.05 || (four["all"] ?? 0) < 0.9) process.exitCode = 1;
