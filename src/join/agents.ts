import { Nearest } from "../adapt/nearest.ts";
import type { Piece } from "../adapt/piece.ts";
import { agentOfSpan, sameAgent } from "./agent-names.ts";
import { workflowName } from "./attribution.ts";
import { FirstReaching } from "./first-reaching.ts";
import type { ToolUse } from "./tool-use.ts";

/** The agents of a run, where they lie. */
export class Agents {
  readonly #pieces: readonly Piece[];
  readonly #above = new Nearest((piece) => (piece.role === "agent" ? agentOfSpan(piece) : undefined));
  readonly #workflow = new Nearest(workflowName);
  #byStart: FirstReaching | undefined;

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces.filter(({ role }) => role === "agent");
  }

  /** Another agent that starts when the tool is done. */
  after(use: ToolUse): string | undefined {
    const piece = use.spans[0]?.pieces[0];
    if (piece === undefined) return undefined;
    const from = this.above(piece);
    this.#byStart ??= new FirstReaching(this.#pieces.map(({ start }) => start));
    const next = this.#pieces[this.#byStart.place(piece.end)];
    const name = next === undefined ? undefined : agentOfSpan(next);
    return name === undefined || (from !== undefined && sameAgent(from, name)) ? undefined : name;
  }

  /** An agent that ran inside a tool's span: the tool was that agent. */
  within(use: ToolUse): string | undefined {
    for (const span of use.spans) {
      for (const piece of span.pieces) {
        const inner = this.#firstIn(piece);
        if (inner !== undefined) return inner;
      }
    }
    return undefined;
  }

  #firstIn(piece: Piece): string | undefined {
    const queue = [...piece.children];
    for (const one of queue) {
      if (one.role === "agent" || one.role === "workflow") {
        const name = one.role === "agent" ? agentOfSpan(one) : this.#workflow.of(one);
        if (name !== undefined) return name;
      }
      if (one.role !== "tool") for (const child of one.children) queue.push(child);
    }
    return undefined;
  }

  /** The agent in whose span a span lies. */
  above(piece: Piece): string | undefined {
    return this.#above.of(piece.parent);
  }
}
