import { byStart } from "../../model/by-start.ts";
import { type BacktestReport, type Flip, flipOf, type Judgement } from "../../authoring/backtest/flips.ts";
import { missingQueries, selectQueries } from "../../match/selection.ts";
import type { AgentRun } from "../../model/run.ts";
import type { JudgedRun, Pending } from "../../pipeline/judge-run.ts";
import type { CompiledQuery, CompiledSpec } from "../../evaluate/query/compiled.ts";
import { UserError } from "../../support/process/io.ts";

export interface Pair {
  readonly base: CompiledSpec;
  readonly spec: CompiledSpec;
}

/**
 * Returns the pairs of specs to compare: a base and a spec of the same name. If there is only one base and one spec, their names may
 * differ.
 * @throws UserError if a spec has no base of the same name, or a base has no spec
 */
export function pairsOf(bases: readonly CompiledSpec[], specs: readonly CompiledSpec[]): readonly Pair[] {
  const [base] = bases;
  const [spec] = specs;
  if (base !== undefined && spec !== undefined && bases.length === 1 && specs.length === 1)
    return [{ base, spec }];
  const pairs = specs.flatMap((one) => {
    const old = bases.find(({ name }) => name === one.name);
    return old === undefined ? [] : [{ base: old, spec: one }];
  });
  if (pairs.length === specs.length && pairs.length === bases.length) return pairs;
  const lone = [...specs, ...bases].filter(
    (one) => !pairs.some((pair) => pair.spec === one || pair.base === one),
  );
  throw new UserError(
    `these specs have no spec of the same name on the other side (--spec or --base): ${lone.map(({ file }) => file).join(", ")}`,
    "give the same file names for --spec and --base, or one spec each",
  );
}

export type Judge = (run: AgentRun) => JudgedRun | Pending;

/**
 * Returns a function that judges a run by both specs, and calls `onBoth` with both results. The returned function returns the result of the
 * judge `after`.
 */
export function judgedByBoth(
  before: Judge,
  after: Judge,
  onBoth: (before: JudgedRun, after: JudgedRun) => void,
): Judge {
  const both = (left: JudgedRun, right: JudgedRun): JudgedRun => {
    onBoth(left, right);
    return right;
  };
  return (run) => {
    const left = before(run);
    const right = after(run);
    if ("verdicts" in left && "verdicts" in right) return both(left, right);
    const asked = (one: JudgedRun | Pending): Promise<JudgedRun> =>
      "verdicts" in one ? Promise.resolve(one) : one.ask();
    return {
      ask: async () => both(...(await Promise.all([asked(left), asked(right)]))),
      giveUp: (judgeSkipPolicy) => {
        const given = (one: JudgedRun | Pending): JudgedRun =>
          "verdicts" in one ? one : one.giveUp(judgeSkipPolicy);
        return both(given(left), given(right));
      },
    };
  };
}

/** Collects the verdicts that differ between both specs. */
export class Tally {
  readonly #pairs: readonly Pair[];
  readonly #flips: Flip[] = [];
  readonly #matched = new Set<CompiledQuery>();
  #runs = 0;
  #judged = 0;

  constructor(pairs: readonly Pair[]) {
    this.#pairs = pairs;
  }

  add(before: JudgedRun, after: JudgedRun): void {
    const { run } = after;
    if (run.turns === undefined) this.#runs++;
    if (before.verdicts.length + after.verdicts.length > 0) this.#judged++;
    for (const query of after.matched) this.#matched.add(query);
    for (const { base, spec } of this.#pairs) {
      const flip = flipOf(spec.name, run, judgementBy(before, base), judgementBy(after, spec));
      if (flip !== null) this.#flips.push(flip);
    }
  }

  report(): BacktestReport {
    const specs = this.#pairs.map(({ spec }) => spec);
    const selected = selectQueries(specs, { queries: [], tags: [] });
    return {
      base: this.#pairs.map(({ base: { file, hash } }) => ({ file, hash })),
      spec: specs.map(({ file, hash }) => ({ file, hash })),
      runs: this.#runs,
      judged: this.#judged,
      flips: this.#flips.sort(byStart),
      missing: missingQueries(selected, this.#matched).map(({ query }) => query.id),
    };
  }
}

function judgementBy(judged: JudgedRun, spec: CompiledSpec): Judgement {
  const at = judged.matched.findIndex((query) => spec.queries.includes(query));
  return {
    verdict: judged.verdicts[at],
    ambiguous: judged.ambiguous.find((one) => one.spec === spec.name),
  };
}
