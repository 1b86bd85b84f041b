import type { Piece } from "../adapt/piece.ts";
import { agentOfSpan, isAgentName } from "./agent-names.ts";
import { FirstReaching } from "./first-reaching.ts";

export interface HandoffSpan {
  readonly spanId: string;
  readonly from: string | null;
  readonly to: string;
  readonly at: number;
}

const names: readonly RegExp[] = [
  /^(?:hand-?off|handoff):?\s+(?<from>.+?)\s*(?:→|->)\s*(?<to>.+)$/i,
  /^(?<from>.+?)\s*(?:→|->)\s*(?<to>.+?)(?:\.handoff)?$/i,
  /^(?:handoff|transfer) to (?<to>.+)$/i,
];

/** The spans that are hand-offs themselves. Where one does not name its target, the agent that starts next is it. */
export function handoffSpans(pieces: readonly Piece[]): HandoffSpan[] {
  const spans: HandoffSpan[] = [];
  let agents: AgentsInOrder | undefined;
  for (const piece of pieces) {
    if (piece.role !== "handoff") continue;
    const match = names
      .map((pattern) => pattern.exec(piece.span.name))
      .find((found) => found !== null)?.groups;
    const from = [piece.text("handoffFrom"), match?.["from"]].find(isAgentName) ?? null;
    const to =
      [piece.text("handoffTo"), match?.["to"]].find(isAgentName) ??
      (agents ??= new AgentsInOrder(pieces)).next(piece.start, from);
    if (to !== undefined) spans.push({ spanId: piece.span.spanId, from, to, at: piece.start });
  }
  return spans;
}

/** Agents that say their name, as their spans come. */
class AgentsInOrder {
  readonly #agents: (readonly [name: string, start: number])[] = [];
  readonly #starts: FirstReaching;
  /** For each the place of the next that is called otherwise. */
  readonly #others: Uint32Array;

  constructor(pieces: readonly Piece[]) {
    for (const piece of pieces) {
      const name = piece.role === "agent" ? agentOfSpan(piece) : undefined;
      if (name !== undefined) this.#agents.push([name, piece.start]);
    }
    this.#starts = new FirstReaching(this.#agents.map(([, start]) => start));
    this.#others = new Uint32Array(this.#agents.length);
    for (let at = this.#agents.length - 1; at >= 0; at--) {
      const isSame = this.#agents[at]?.[0] === this.#agents[at + 1]?.[0];
      this.#others[at] = isSame ? (this.#others[at + 1] ?? at + 1) : at + 1;
    }
  }

  /** The first to start by a time, but for this one. */
  next(time: number, but: string | null): string | undefined {
    for (let at = this.#starts.place(time); ;) {
      const agent = this.#agents[at];
      if (agent === undefined) return undefined;
      const [name, start] = agent;
      if (name !== but && start >= time) return name;
      at = name === but ? (this.#others[at] ?? at + 1) : at + 1;
    }
  }
}
