import type { Outcome } from "../model/outcome.ts";
import type { QueryMatch } from "../model/verdict.ts";
import type { AgentRun, CloseReason } from "../model/run.ts";
import type { JudgedRun } from "./judge-run.ts";

export const alwaysRules = ["errors", "forbidden_tools", "failures", "over_budget"] as const;
export type AlwaysRule = (typeof alwaysRules)[number];

/** Settings of sampling, which decides which runs are evaluated. Rates are from 0 to 1. */
export interface Sampling {
  readonly rate: number;
  /** Rates by agent name (`agents`) and query id (`queries`). The rate of a query takes precedence. */
  readonly agents: ReadonlyMap<string, number>;
  readonly queries: ReadonlyMap<string, number>;
  /** Conditions under which a run is evaluated regardless of the sampling rate. */
  readonly always: readonly AlwaysRule[];
}

/** Sampling that evaluates every run. */
export const everyRun: Sampling = { rate: 1, agents: new Map(), queries: new Map(), always: [] };

/** Sampling decision about one run, with the reason. */
export interface Decision {
  readonly traceId: string;
  readonly traceIds: readonly string[];
  readonly runId: string;
  readonly agent: string | null;
  readonly closeReason: CloseReason;
  readonly decision: "evaluated" | "sampled_out" | "unmatched" | "ambiguous";
  /**
   * Reason of the decision. `all`: the sampling rate is 1. `sampled` and `rate`: included or excluded by the sampling rate. An
   * `AlwaysRule`: this rule included the run. The other reasons explain why there is no new verdict: no query matches the run (`no_query`),
   * several queries match it by the same rule (`several_queries`), or an earlier process judged it (`before_restart`).
   */
  readonly why: AlwaysRule | "all" | "sampled" | "rate" | "no_query" | "several_queries" | "before_restart";
  readonly rate: number;
  readonly matches: readonly {
    readonly spec: string;
    readonly queryId: string;
    readonly how: QueryMatch["how"];
  }[];
  /** Outcomes of the run's verdicts, before any judge model was called. */
  readonly outcomes: readonly Outcome[];
}

/**
 * Salt for hashes of trace ids. Other samplers use the last bytes of the id directly. Because of the salt, Tracejury's choice does not
 * depend on the choices of other samplers.
 */
const SALT = 0x7a3c91e5;

/** Returns a number for a trace id, at least 0 and below 1. The numbers are uniformly distributed, and the same in each process. */
export function traceShare(traceId: string): number {
  let hash = SALT;
  for (let at = 0; at < traceId.length; at++) {
    hash = Math.imul(hash ^ traceId.charCodeAt(at), 0x01000193);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** Makes the sampling decision about a run. Called after the checks that need no judge model. */
export function decide(seen: JudgedRun, sampling: Sampling): Decision {
  const { run, verdicts } = seen;
  if (verdicts.length === 0) {
    return seen.ambiguous.length > 0
      ? decided(seen, "ambiguous", "several_queries", 1)
      : decided(seen, "unmatched", "no_query", 1);
  }
  const rate = rateOf(run, seen, sampling);
  if (rate >= 1) return decided(seen, "evaluated", "all", rate);
  const rule = sampling.always.find((one) => applies(one, seen));
  if (rule !== undefined) return decided(seen, "evaluated", rule, rate);
  return traceShare(run.traceId) < rate
    ? decided(seen, "evaluated", "sampled", rate)
    : decided(seen, "sampled_out", "rate", rate);
}

function decided(
  { run, verdicts }: JudgedRun,
  decision: Decision["decision"],
  why: Decision["why"],
  rate: number,
): Decision {
  return {
    traceId: run.traceId,
    traceIds: run.traceIds,
    runId: run.runId,
    agent: run.agent,
    closeReason: run.closeReason,
    matches: verdicts.map(({ spec, queryId, match }) => ({ spec, queryId, how: match.how })),
    outcomes: verdicts.map(({ outcome }) => outcome),
    decision,
    why,
    rate,
  };
}

/** Returns the highest sampling rate that applies to the run. */
function rateOf(run: AgentRun, { verdicts }: JudgedRun, { rate, agents, queries }: Sampling): number {
  const byAgent = agents.get(run.agent ?? "") ?? rate;
  return Math.max(...verdicts.map(({ queryId }) => queries.get(queryId) ?? byAgent));
}

function applies(rule: AlwaysRule, { run, verdicts }: JudgedRun): boolean {
  switch (rule) {
    case "errors":
      return run.status === "error";
    case "forbidden_tools":
      return verdicts.some(({ hardFail, layers }) => hardFail && layers.path.outcome === "fail");
    case "failures":
      return verdicts.some(({ outcome }) => outcome === "fail");
    case "over_budget":
      return verdicts.some(({ layers }) => layers.cost.outcome === "warn" || layers.cost.outcome === "fail");
  }
}

/** The latest decisions, and the number of decisions of each kind. */
export class Decisions {
  readonly #most: number;
  readonly #last: Decision[] = [];
  #next = 0;
  /** Number of decisions, by decision and reason separated by a space. */
  readonly counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  add(decision: Decision): void {
    const key = `${decision.decision} ${decision.why}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    this.#last[this.#next] = decision;
    this.#next = (this.#next + 1) % this.#most;
  }

  /** Number of all decisions so far. */
  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Returns the latest decisions, newest first. */
  list(most: number): readonly Decision[] {
    const inOrder = [...this.#last.slice(this.#next), ...this.#last.slice(0, this.#next)];
    return inOrder.slice(-most).reverse();
  }
}
