import { NewestEntries } from "../../support/structures/newest-entries.ts";
import type { SpendLimit } from "../settings.ts";
import { SlidingWindow } from "./sliding-window.ts";

const HOUR_MS = 3_600_000;
const MAX_RUNS = 10_000;

export interface Cost {
  readonly tokens: number;
  readonly usd: number;
}

/**
 * `go`: the call may start. `wait`: calls in progress may use up the budget, so the call waits. `spent`: a budget is used up; `message`
 * names the budget.
 */
export type Admission =
  | { readonly state: "go"; readonly settle: (cost: Cost) => void }
  | { readonly state: "wait"; readonly settled: Promise<void> }
  | { readonly state: "spent"; readonly message: string };

const nothing: Cost = { tokens: 0, usd: 0 };

/**
 * Enforces the judges' budgets for each run and for any 60 minutes. If the estimated costs of a new call and of the calls in progress
 * exceed a budget, the new call waits for the actual costs. A single expensive call, or calls that cost more than estimated, can still
 * exceed a budget.
 */
export class Budget {
  readonly #limits: { readonly run: SpendLimit; readonly hour: SpendLimit };
  readonly #runs = new NewestEntries<string, Cost>(MAX_RUNS);
  readonly #hour = { tokens: new SlidingWindow(HOUR_MS), usd: new SlidingWindow(HOUR_MS) };
  readonly #pending = new Set<{ readonly runId: string; readonly estimate: Cost }>();
  #settled = deferred();

  constructor(limits: { readonly run: SpendLimit; readonly hour: SpendLimit }) {
    this.#limits = limits;
  }

  admit(runId: string, estimate: Cost, now: number): Admission {
    const { run, hour } = this.#limits;
    const ofRun = this.#runs.get(runId) ?? nothing;
    const ofHour = { tokens: this.#hour.tokens.sum(now), usd: this.#hour.usd.sum(now) };
    const message = exceeded("this run", run, ofRun) ?? exceeded("the last 60 minutes", hour, ofHour);
    if (message !== null) return { state: "spent", message };
    const pending = [...this.#pending];
    const ofSameRun = pending.filter((it) => it.runId === runId);
    if (mayOverdraw(run, ofRun, ofSameRun, estimate) || mayOverdraw(hour, ofHour, pending, estimate))
      return { state: "wait", settled: this.#settled.promise };
    const mine = { runId, estimate };
    this.#pending.add(mine);
    const settle = (cost: Cost): void => {
      if (!this.#pending.delete(mine)) return;
      this.#runs.set(runId, add([this.#runs.get(runId) ?? nothing, cost]));
      this.#hour.tokens.book(now, cost.tokens);
      this.#hour.usd.book(now, cost.usd);
      this.#settled.resolve();
      this.#settled = deferred();
    };
    return { state: "go", settle };
  }
}

/** Whether a new call and the calls in progress together may exceed a budget. False if no other call is in progress. */
function mayOverdraw(
  limit: SpendLimit,
  spent: Cost,
  pending: readonly { readonly estimate: Cost }[],
  estimate: Cost,
): boolean {
  if (pending.length === 0) return false;
  const { tokens, usd } = add([spent, ...pending.map((it) => it.estimate), estimate]);
  return (limit.tokens !== null && tokens > limit.tokens) || (limit.usd !== null && usd > limit.usd);
}

function add(costs: readonly Cost[]): Cost {
  return costs.reduce((a, b) => ({ tokens: a.tokens + b.tokens, usd: a.usd + b.usd }), nothing);
}

function exceeded(whose: string, limit: SpendLimit, spent: Cost): string | null {
  if (limit.tokens !== null && spent.tokens >= limit.tokens)
    return `the judges' budget of ${limit.tokens} tokens for ${whose} is used up`;
  if (limit.usd !== null && spent.usd >= limit.usd)
    return `the judges' budget of ${limit.usd} USD for ${whose} is used up`;
  return null;
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
