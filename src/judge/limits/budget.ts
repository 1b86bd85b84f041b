import { NewestEntries } from "../../support/structures/newest-entries.ts";
import type { SpendLimit } from "../settings.ts";
import { type SlidingWindow, slidingWindow } from "./sliding-window.ts";

const HOUR_MS = 3_600_000;
const MAX_RUNS = 10_000;

export interface Cost {
  readonly tokens: number;
  readonly usd: number;
}

/** `go`: the call may start. `wait`: calls in progress may use up the budget. `spent`: a budget is used up; `message` names the budget. */
export type Admission =
  | { readonly state: "go"; readonly settle: (cost: Cost) => void }
  | { readonly state: "wait"; readonly settled: Promise<void> }
  | { readonly state: "spent"; readonly message: string };

/**
 * Enforces the judges' budgets for each run and for any 60 minutes. If the estimated costs of a new call and of the calls in progress
 * exceed a budget, the new call waits for the actual costs. One call, or calls that cost more than estimated, can exceed a budget.
 */
export interface Budget {
  admit(runId: string, estimate: Cost, now: number): Admission;
}

interface Account {
  readonly tokens: number;
  readonly usd: number;
}

export function createBudget(limits: { readonly run: SpendLimit; readonly hour: SpendLimit }): Budget {
  const runs = new NewestEntries<string, Account>(MAX_RUNS);
  const hour = { tokens: slidingWindow(HOUR_MS), usd: slidingWindow(HOUR_MS) };
  const pending = new Set<{ readonly runId: string; readonly estimate: Cost }>();
  let settled = deferred();

  const spent = (runId: string, now: number): string | null =>
    exceeded("this run", limits.run, runs.get(runId) ?? nothing) ??
    exceeded("the last 60 minutes", limits.hour, sumOf(hour, now));
  const mayOverdraw = (runId: string, estimate: Cost, now: number): boolean => {
    const ofRun = [...pending].filter((it) => it.runId === runId).map((it) => it.estimate);
    const ofAll = [...pending].map((it) => it.estimate);
    return (
      (ofRun.length > 0 && over(limits.run, add([runs.get(runId) ?? nothing, ...ofRun, estimate]))) ||
      (ofAll.length > 0 && over(limits.hour, add([sumOf(hour, now), ...ofAll, estimate])))
    );
  };

  return {
    admit: (runId, estimate, now) => {
      const message = spent(runId, now);
      if (message !== null) return { state: "spent", message };
      if (mayOverdraw(runId, estimate, now)) return { state: "wait", settled: settled.promise };
      const mine = { runId, estimate };
      pending.add(mine);
      const settle = (cost: Cost): void => {
        if (!pending.delete(mine)) return;
        bookRun(runs, runId, cost);
        hour.tokens.book(now, cost.tokens);
        hour.usd.book(now, cost.usd);
        settled.resolve();
        settled = deferred();
      };
      return { state: "go", settle };
    },
  };
}

const nothing: Account = { tokens: 0, usd: 0 };

function bookRun(runs: Map<string, Account>, runId: string, cost: Cost): void {
  runs.set(runId, add([runs.get(runId) ?? nothing, cost]));
}

function add(accounts: readonly Account[]): Account {
  return accounts.reduce((a, b) => ({ tokens: a.tokens + b.tokens, usd: a.usd + b.usd }), nothing);
}

function sumOf(hour: { tokens: SlidingWindow; usd: SlidingWindow }, now: number): Account {
  return { tokens: hour.tokens.sum(now), usd: hour.usd.sum(now) };
}

function exceeded(whose: string, limit: SpendLimit, account: Account): string | null {
  if (limit.tokens !== null && account.tokens >= limit.tokens)
    return `the judges' budget of ${limit.tokens} tokens for ${whose} is spent`;
  if (limit.usd !== null && account.usd >= limit.usd)
    return `the judges' budget of ${limit.usd} USD for ${whose} is spent`;
  return null;
}

function over(limit: SpendLimit, account: Account): boolean {
  return (
    (limit.tokens !== null && account.tokens > limit.tokens) ||
    (limit.usd !== null && account.usd > limit.usd)
  );
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
