import type { SpecQuery } from "../../match/selection.ts";
import type { JudgedRun } from "../../pipeline/judge-run.ts";
import { placeOf, reliabilityLimits, sequentialGate } from "../../report/render/report/gated-groups.ts";
import { append } from "../../support/structures/group-by.ts";
import { counted, printable } from "../../report/render/terminal/printable.ts";
import { type AgentCall, type Askable, askablesOf, type CallPlan } from "./call.ts";
import { gateOf } from "../../report/statistics/groups/unit-gates.ts";
import { sortOut } from "../../report/statistics/groups/group-runs.ts";
import { type Observation, ownOutcome, sideOf } from "../../report/statistics/observation.ts";
import type { Gate } from "../../report/statistics/groups/reliability.ts";
import { write } from "../../support/process/io.ts";
import { type AgentCallOptions, type AgentCalls, folderIn, openAgent } from "../judging/agent-calls.ts";
import type { RunSource } from "../judging/replay-judged.ts";
import { dollars } from "../../evaluate/rules/text.ts";
import type { AgentRun } from "../../model/run.ts";

/** Adds up the costs of an agent and of judge models, and compares the sum with a budget. */
class Spending {
  readonly #budgetUsd: number | null;
  #usd = 0;
  #calls = 0;
  #unpriced = 0;
  #isSpent = false;

  /** @param budgetUsd budget in US dollars; null for no limit */
  constructor(budgetUsd: number | null) {
    this.#budgetUsd = budgetUsd;
  }

  /** @param runs runs of the calls. The run of a whole conversation is skipped, because `runs` also contains a run for each of its turns */
  addCalls(calls: number, runs: readonly Pick<AgentRun, "costUsd" | "turns">[]): void {
    this.#calls += calls;
    for (const { costUsd, turns } of runs) if (turns === undefined) this.#add(costUsd);
  }

  addJudge(costUsd: number | null): void {
    this.#add(costUsd);
  }

  /**
   * Returns how many of the wanted calls fit into the budget at the average cost of the previous calls. Before the first call, the average
   * is unknown, and at most `atOnce` is returned.
   */
  affordable(wanted: number, atOnce: number): number {
    if (this.#budgetUsd === null) return wanted;
    if (this.#calls === 0) return Math.min(wanted, atOnce);
    const left = this.#budgetUsd - this.#usd;
    const each = this.#usd / this.#calls;
    const count = left <= 0 ? 0 : each === 0 ? wanted : Math.min(wanted, Math.floor(left / each));
    if (count === 0) this.#isSpent = true;
    return count;
  }

  /** Text that states how much of the budget is spent. */
  get spent(): string {
    return `${dollars(this.#usd)} of --budget-usd ${this.#budgetUsd ?? 0} are spent`;
  }

  /** Returns remarks to print at the end, if the budget is spent or costs are unknown. */
  remarks(): string[] {
    if (this.#budgetUsd === null) return [];
    const unpriced =
      this.#unpriced === 0
        ? []
        : [
            `warning: the cost of ${counted(this.#unpriced, "run or judge call", "runs and judge calls")} is unknown, and is not counted in --budget-usd: add the models to \`prices\` in the configuration`,
          ];
    return this.#isSpent ? [this.spent, ...unpriced] : unpriced;
  }

  #add(costUsd: number | null): void {
    if (costUsd === null) this.#unpriced++;
    else this.#usd += costUsd;
  }
}

export interface EnoughRunsOptions extends AgentCallOptions {
  /** Maximum number of runs of each query. */
  readonly maxRuns: number;
  /** Budget in US dollars for the agent and its judges together; null for no limit. */
  readonly budgetUsd: number | null;
}

/**
 * Calls of an agent, and the callbacks on which the number of further calls depends. The calls end when the gates of all queries are
 * decided. The caller reports each judged run and the cost of judges.
 */
export interface EnoughRuns extends AgentCalls {
  readonly onJudged: (judged: JudgedRun) => void;
  readonly onJudgeCost: (costUsd: number | null) => void;
}

/** A question to the agent, with the number of its calls. */
class Question {
  readonly askable: Askable;
  calls = 0;
  /** Why this question is not sent again; null while it may be sent again, and also if the budget ended the calls. */
  ended: string | null = null;
  #decidedBefore = 0;
  readonly #runsOf: (query: SpecQuery) => readonly Observation[];

  constructor(askable: Askable, runsOf: (query: SpecQuery) => readonly Observation[]) {
    this.askable = askable;
    this.#runsOf = runsOf;
  }

  /**
   * Returns how many calls to make next: 1 at first, then as many as can at least decide an open gate, 0 at the end. When no call remains,
   * sets `ended`.
   */
  furtherRuns(maxRuns: number): number {
    if (this.calls === 0) return 1;
    if (this.ended !== null) return 0;
    const gates = this.askable.queries.flatMap((one) => this.#gateOf(one) ?? []);
    const open = gates.filter(({ outcome }) => outcome === "not_enough_runs");
    if (open.length === 0) return this.#end(outcomeText(gates, this.calls));
    const decided = this.#decided();
    if (decided === this.#decidedBefore)
      return this.#end(
        `not decided after ${counted(this.calls, "run")}, because the verdicts of the last runs are undecided (judges are off, or evidence is missing)`,
      );
    this.#decidedBefore = decided;
    const needs = open.map(({ runsNeededAtLeast }) => runsNeededAtLeast);
    if (needs.includes(null))
      return this.#end(
        "not decided: after these results, no number of further runs can show the required rate",
      );
    if (this.calls >= maxRuns)
      return this.#end(`not decided after ${counted(this.calls, "run")} (--max-runs ${maxRuns})`);
    // An open gate needs at least `runsNeededAtLeast` more runs to be decided. So this many runs can start at once, and none is
    // superfluous.
    return Math.min(maxRuns - this.calls, ...needs.map((need) => Math.max(1, need ?? 1)));
  }

  #end(why: string): 0 {
    this.ended = why;
    return 0;
  }

  #gateOf(one: SpecQuery): Gate | undefined {
    const { reliability, expectedFail } = one.query;
    if (reliability === undefined || expectedFail !== undefined) return undefined;
    return gateOf(sortOut(one.query.id, this.#runsOf(one)), reliabilityLimits(sequentialGate(reliability)));
  }

  #decided(): number {
    const runs = this.askable.queries.flatMap((one) => this.#runsOf(one));
    return runs.filter(({ outcome }) => sideOf(outcome) !== "undecided").length;
  }
}

function outcomeText(gates: readonly Gate[], calls: number): string {
  const after = `after ${counted(calls, "run")}`;
  if (gates.length === 0) return `${after}: the query has no \`reliability\``;
  const [worst] = ["fail", "incomplete", "pass"].filter((one) =>
    gates.some(({ outcome }) => outcome === one),
  );
  return `${worst ?? "pass"} ${after}`;
}

/**
 * Sends each query to the agent until its gate is decided, and judges the runs between calls. Calls also end when `maxRuns` or the budget
 * is reached, when runs cannot be judged, or when no number of runs can decide the gate. A query without `reliability` is sent once. Prints
 * on stderr why the calls of each query ended.
 */
export async function callUntilDecided(options: EnoughRunsOptions): Promise<EnoughRuns> {
  const { selected, maxRuns, budgetUsd, workers, io } = options;
  const observed = new Map<string, Observation[]>();
  const runsOf = ({ spec, query }: SpecQuery): readonly Observation[] =>
    observed.get(placeOf(spec.name, query.id)) ?? [];
  const questions = askablesOf(selected).map((askable) => new Question(askable, runsOf));
  const spending = new Spending(budgetUsd);
  const simulator = await options.openSimulator((costUsd) => spending.addJudge(costUsd));
  const agent = await openAgent(options, simulator);
  const calls: AgentCall[] = [];
  const folderOf = folderIn(options.keep);

  const nextPlans = (): CallPlan[] =>
    questions.flatMap((question) => {
      const { spec, query } = question.askable;
      return Array.from({ length: question.furtherRuns(maxRuns) }, (_, at) => {
        const number = question.calls + at + 1;
        return { spec, query, number, folder: folderOf(query, number) };
      });
    });

  const source: RunSource = async (onRun, room, judged) => {
    try {
      for (;;) {
        const wanted = nextPlans();
        if (wanted.length === 0) break;
        const plans = wanted.slice(0, spending.affordable(wanted.length, workers));
        if (plans.length === 0) break;
        const answered = await agent.ask(plans);
        calls.push(...answered.calls);
        for (const question of questions)
          question.calls += plans.filter(({ query }) => query === question.askable.query).length;
        spending.addCalls(answered.calls.length, answered.runs);
        for (const run of answered.runs) {
          onRun(run);
          await room();
        }
        await judged();
      }
    } finally {
      await agent.close();
      await simulator?.close();
      await options.models?.close();
    }
    for (const { askable, calls: made, ended } of questions) {
      const why = ended ?? `not decided after ${counted(made, "run")}: ${spending.spent}`;
      await write(io.stderr, `${printable(askable.query.id)}: ${why}\n`);
    }
    for (const line of spending.remarks()) await write(io.stderr, `${line}\n`);
    return { invalid: [], skipped: [] };
  };

  return {
    calls,
    source,
    onJudged: ({ verdicts }) => {
      for (const verdict of verdicts) {
        const { spec, queryId: key, metrics } = verdict;
        const outcome = ownOutcome(verdict.outcome, verdict.expectedFail === true);
        append(observed, placeOf(spec, key), { key, outcome, metrics });
      }
    },
    onJudgeCost: (costUsd) => spending.addJudge(costUsd),
  };
}
