import type { Place, ReportedRun, ReportedVerdict } from "./reported.ts";
import type { VerdictJson } from "../../json/verdict-schema.ts";

/** A finding as text: what every report asks for, and what may wait until it is needed. */
export interface SavedText {
  readonly head: string;
  readonly body: string;
}

/** What findings are in order by: the place, then the id of the verdict or the name of the spec. */
export interface Key {
  readonly place: Place;
  readonly second: string;
}

/** How findings of one kind are saved, and read again. */
export interface Saving<Item> {
  keyOf(item: Item): Key;
  /** About how many bytes the item takes in memory. */
  weigh(item: Item): number;
  save(item: Item): SavedText;
  read(saved: SavedText): Item;
}

export const savedRuns: Saving<ReportedRun> = {
  keyOf: ({ place, spec }) => ({ place, second: spec }),
  weigh: ({ query, candidates }) => 800 + 2 * (query?.length ?? 0) + 50 * candidates.length,
  save: (run) => ({ head: JSON.stringify(run), body: "" }),
  read: ({ head }) => JSON.parse(head) as ReportedRun,
};

export const savedVerdicts: Saving<ReportedVerdict> = {
  keyOf: (reported) => ({ place: reported.place, second: idOf(reported) }),
  weigh: weightOf,
  save(reported) {
    const { verdict, place, tools, handoffs, answer, steps, compared } = reported;
    const head: Head = { place, id: verdict.verdict_id, tools, handoffs, answer, steps, compared };
    return { head: JSON.stringify(head), body: JSON.stringify(verdict) };
  },
  read: ({ head, body }) => new SavedVerdict(JSON.parse(head) as Head, body),
};

interface Head extends Omit<ReportedVerdict, "verdict" | "verdictText"> {
  readonly id: string;
}

/** A verdict of which the larger part is read when it is first requested. */
class SavedVerdict implements ReportedVerdict {
  readonly id: string;
  readonly place: Place;
  readonly verdictText: string;
  readonly tools: ReportedVerdict["tools"];
  readonly handoffs: ReportedVerdict["handoffs"];
  readonly answer: string | null;
  readonly steps: ReportedVerdict["steps"];
  readonly compared: ReportedVerdict["compared"];
  #verdict: VerdictJson | undefined;

  constructor(head: Head, body: string) {
    this.id = head.id;
    this.place = head.place;
    this.verdictText = body;
    this.tools = head.tools;
    this.handoffs = head.handoffs;
    this.answer = head.answer;
    this.steps = head.steps;
    this.compared = head.compared;
  }

  get verdict(): VerdictJson {
    return (this.#verdict ??= JSON.parse(this.verdictText) as VerdictJson);
  }

  toJSON(): ReportedVerdict {
    const { place, verdict, tools, handoffs, answer, steps, compared } = this;
    return { place, verdict, tools, handoffs, answer, steps, compared };
  }
}

function idOf(reported: ReportedVerdict): string {
  return reported instanceof SavedVerdict ? reported.id : reported.verdict.verdict_id;
}

/** What one verdict and one of its parts take, from measurements. */
const VERDICT = 1_500;
const CHECK = 400;
const STEP = 100;

function weightOf({ verdict, tools, answer, steps, compared }: ReportedVerdict): number {
  const { correctness, path, cost } = verdict.layers;
  let weight = VERDICT + 2 * ((verdict.query?.length ?? 0) + (answer?.length ?? 0));
  weight += STEP * ((tools?.length ?? 0) + (steps?.length ?? 0));
  weight += CHECK * (compared?.differences.length ?? 0);
  for (const { checks } of [correctness, path, cost]) {
    for (const { message, span_ids: spans } of checks) weight += CHECK + message.length + STEP * spans.length;
  }
  return weight;
}
