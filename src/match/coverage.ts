import type { AgentRun } from "../model/run.ts";
import { foldAgentName } from "./rules/agent-name.ts";
import { normaliseText, tidyText } from "./rules/normalise.ts";

/** Unmatched runs with the same question, apart from case, spaces, end marks and numbers. */
export interface Cluster {
  /** The agent as most of the runs name it; null when they name none. */
  readonly agent: string | null;
  /** The text that was asked most often; of equally frequent ones the first in alphabetical order. */
  readonly text: string;
  /** How many different texts there are. */
  readonly texts: number;
  readonly runs: number;
  /** A template that fits all the texts, where they differ in numbers only; null when they are one text but for case and the like. */
  readonly pattern: string | null;
  /** Ids of some of the runs, in alphabetical order. */
  readonly runIds: readonly string[];
}

const MOST_RUN_IDS = 5;
/** Beyond these, texts of their own are only counted. */
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

/** Gathers the traffic that a spec does not cover, by what was asked: texts that differ in case, spaces, end marks or numbers are one. */
export class UnmatchedTraffic {
  readonly #clusters = new Map<string, Open>();
  #withoutText = 0;
  #left = 0;

  /** Whether something alike was added. */
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

  /** Runs that asked nothing that was captured. */
  get withoutText(): number {
    return this.#withoutText;
  }

  /** Runs that were not clustered because there were too many different texts. */
  get leftOut(): number {
    return this.#left;
  }

  /** The clusters, the most frequent first, then by text. */
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

/** `Where is order 81?` → `Where is order {number}?`; further numbers are number2, number3. */
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
