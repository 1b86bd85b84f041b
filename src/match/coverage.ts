import type { AgentRun } from "../model/run.ts";
import { foldAgentName } from "./rules/agent-name.ts";
import { normaliseText, tidyText } from "./rules/normalise.ts";

/** A group of unmatched runs of one agent, whose query texts differ only in case, spaces, end punctuation and numbers. */
export interface Cluster {
  /** Most frequent agent name of the runs; null if no run has one. */
  readonly agent: string | null;
  /** Most frequent query text; of equally frequent texts, the first in alphabetical order. */
  readonly text: string;
  /** Number of query texts that differ in more than case, spaces and end punctuation; at most 100 are counted. */
  readonly texts: number;
  readonly runs: number;
  /** Template that matches all texts, such as `Where is order {number}?`. Null if the texts do not differ in numbers. */
  readonly pattern: string | null;
  /** Ids of some of the runs, in alphabetical order. */
  readonly runIds: readonly string[];
}

const MOST_RUN_IDS = 5;
/** Maximum number of clusters. Runs of further clusters are only counted. */
const MOST_CLUSTERS = 10_000;
const LONGEST_TEXT = 2_000;
const LONGEST_KEY = 400;

interface Open {
  readonly agents: Map<string, number>;
  readonly texts: Map<string, number>;
  readonly normalised: Set<string>;
  runs: number;
  runIds: string[];
}

/** Groups the runs that no query matches by their query text, ignoring case, spaces, end punctuation and numbers. */
export class UnmatchedTraffic {
  readonly #clusters = new Map<string, Open>();
  #withoutText = 0;
  #left = 0;

  /** Whether a run of the same agent with an equivalent query text was added. True for a run without a query text. */
  has({ query, agent }: Pick<AgentRun, "query" | "agent">): boolean {
    if (query === null || query.trim() === "") return true;
    return this.#clusters.has(keyOf(agent, normaliseText(query.slice(0, LONGEST_TEXT))));
  }

  add({ query, agent, runId }: Pick<AgentRun, "query" | "agent" | "runId">): void {
    if (query === null || query.trim() === "") {
      this.#withoutText++;
      return;
    }
    const text = query.slice(0, LONGEST_TEXT);
    const normalised = normaliseText(text);
    const key = keyOf(agent, normalised);
    let open = this.#clusters.get(key);
    if (open === undefined) {
      if (this.#clusters.size >= MOST_CLUSTERS) {
        this.#left++;
        return;
      }
      open = { agents: new Map(), texts: new Map(), normalised: new Set(), runs: 0, runIds: [] };
      this.#clusters.set(key, open);
    }
    open.runs++;
    if (agent !== null) count(open.agents, agent);
    if (open.texts.size < 100) count(open.texts, tidyText(text));
    if (open.normalised.size < 100) open.normalised.add(normalised);
    open.runIds = [...open.runIds, runId].sort().slice(0, MOST_RUN_IDS);
  }

  /** Number of runs whose query text was not captured. */
  get withoutText(): number {
    return this.#withoutText;
  }

  /** Number of runs that were not grouped because the maximum number of clusters was reached. */
  get leftOut(): number {
    return this.#left;
  }

  /** Returns the clusters by number of runs (highest first), then by text. */
  clusters(): readonly Cluster[] {
    return [...this.#clusters.values()]
      .map((open) => ({
        agent: mostFrequent(open.agents),
        text: mostFrequent(open.texts) ?? "",
        texts: open.normalised.size,
        runs: open.runs,
        pattern: open.normalised.size > 1 ? templateOf(mostFrequent(open.texts) ?? "") : null,
        runIds: open.runIds,
      }))
      .sort((a, b) => b.runs - a.runs || (a.text < b.text ? -1 : 1));
  }
}

function keyOf(agent: string | null, normalised: string): string {
  return `${agent === null ? "" : foldAgentName(agent)}\u0000${numberless(normalised).slice(0, LONGEST_KEY)}`;
}

const numbers = /\d+(?:[.,:/-]\d+)*/g;

function numberless(text: string): string {
  return text.replaceAll(numbers, "#");
}

/**
 * Returns the template of a text: `Where is order {number}?` for `Where is order 81?`. Further numbers become `{number2}`, `{number3}` and
 * so on.
 */
function templateOf(text: string): string {
  let at = 0;
  return text.replaceAll(numbers, () => (++at === 1 ? "{number}" : `{number${at}}`));
}

function count(counts: Map<string, number>, value: string): void {
  counts.set(value, (counts.get(value) ?? 0) + 1);
}

function mostFrequent(counts: ReadonlyMap<string, number>): string | null {
  let best: string | null = null;
  for (const [value, times] of counts) {
    const most = best === null ? 0 : (counts.get(best) ?? 0);
    if (times > most || (times === most && best !== null && value < best)) best = value;
  }
  return best;
}
