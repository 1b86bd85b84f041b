import type { SpanNode } from "../span/span-node.ts";
import { isAgentName } from "../span/agent-name.ts";
import { FirstAtLeast } from "../search/first-at-least.ts";

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
export function handoffSpans(nodes: readonly SpanNode[]): HandoffSpan[] {
  const spans: HandoffSpan[] = [];
  let agents: AgentsInOrder | undefined;
  for (const node of nodes) {
    if (node.role !== "handoff") continue;
    const match = names
      .map((pattern) => pattern.exec(node.span.name))
      .find((found) => found !== null)?.groups;
    const from = [node.text("handoffFrom"), match?.["from"]].find(isAgentName) ?? null;
    const to =
      [node.text("handoffTo"), match?.["to"]].find(isAgentName) ??
      (agents ??= new AgentsInOrder(nodes)).next(node.start, from);
    if (to !== undefined) spans.push({ spanId: node.span.spanId, from, to, at: node.start });
  }
  return spans;
}

/** Agents that say their name, as their spans come. */
class AgentsInOrder {
  readonly #agents: (readonly [name: string, start: number])[] = [];
  readonly #starts: FirstAtLeast;
  /** For each the place of the next that is called otherwise. */
  readonly #others: Uint32Array;

  constructor(nodes: readonly SpanNode[]) {
    for (const node of nodes) {
      const name = node.role === "agent" ? node.agentName : undefined;
      if (name !== undefined) this.#agents.push([name, node.start]);
    }
    this.#starts = new FirstAtLeast(this.#agents.map(([, start]) => start));
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
