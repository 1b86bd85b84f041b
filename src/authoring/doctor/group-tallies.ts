import type { AgentRun } from "../../model/run.ts";
import { EvidenceTally } from "./evidence.ts";
import type { TakenTraces } from "./survey.ts";

export interface GroupTally {
  readonly service: string | null;
  readonly tally: EvidenceTally;
  /** Instrumentations of the group's runs, to be passed to `Survey.producers`. */
  readonly producers: Set<object>;
  runs: number;
}

/**
 * Counts evidence by group. Senders choose the names of groups, so the number of groups is limited; further
 * groups are ignored.
 */
export class GroupTallies {
  readonly #most: number;
  readonly #groups = new Map<string, GroupTally>();

  constructor(most: number) {
    this.#most = most;
  }

  add(key: string, run: AgentRun, { namesAgent, producers }: TakenTraces): void {
    let group = this.#groups.get(key);
    if (group === undefined) {
      if (this.#groups.size >= this.#most) return;
      group = { service: run.service, tally: new EvidenceTally(), producers: new Set(), runs: 0 };
      this.#groups.set(key, group);
    }
    group.runs += 1;
    group.tally.add(run, namesAgent);
    for (const producer of producers) group.producers.add(producer);
  }

  groups(): readonly GroupTally[] {
    return [...this.#groups.values()];
  }
}
