import { dollars } from "../../evaluate/rules/text.ts";
import type { AgentRun } from "../../model/run.ts";
import { counted } from "../../report/render/terminal/printable.ts";

/** Adds up the cost of an agent and its judge models, and compares it with a budget. */
export class Spending {
  readonly #budgetUsd: number | null;
  #usd = 0;
  #calls = 0;
  #unpriced = 0;
  #isSpent = false;

  /** @param budgetUsd budget in US dollars; null for no limit */
  constructor(budgetUsd: number | null) {
    this.#budgetUsd = budgetUsd;
  }

  /** @param runs runs of the calls. A conversation's run is skipped, because `runs` also contains the runs of its turns */
  addCalls(calls: number, runs: readonly Pick<AgentRun, "costUsd" | "turns">[]): void {
    this.#calls += calls;
    for (const { costUsd, turns } of runs) if (turns === undefined) this.#add(costUsd);
  }

  addJudge(costUsd: number | null): void {
    this.#add(costUsd);
  }

  /**
   * Returns how many of the wanted calls fit into the budget at the average cost of the previous calls. Before the first call, returns at
   * most `atOnce`.
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

  /** Returns remarks for the end: the budget is spent, or costs are unknown. */
  remarks(): string[] {
    if (this.#budgetUsd === null) return [];
    const unpriced =
      this.#unpriced === 0
        ? []
        : [
            `warning: the cost of ${counted(this.#unpriced, "run or judge call", "runs and judge calls")} is unknown and does not count against --budget-usd: add prices`,
          ];
    return this.#isSpent ? [this.spent, ...unpriced] : unpriced;
  }

  #add(costUsd: number | null): void {
    if (costUsd === null) this.#unpriced++;
    else this.#usd += costUsd;
  }
}
