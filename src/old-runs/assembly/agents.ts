import { Nearest } from "../span/nearest.ts";
import type { SpanNode } from "../span/span-node.ts";
import { isAgentName, sameAgent } from "../span/agent-name.ts";
import { workflowName } from "./attribution.ts";
import { FirstAtLeast } from "../search/first-at-least.ts";
import type { ToolUse } from "./tool-use.ts";

/** The span of a LangGraph graph with a name of its own: in a tool it is the agent that the tool runs. */
function isGraph({ role, span, children }: SpanNode): boolean {
  if (role === "tool" || !isAgentName(span.name)) return false;
  return children.some((child) => child.span.name === "__start__");
}

function nameOfAgent(node: SpanNode): string | undefined {
  return node.role === "agent" ? node.agentName : undefined;
}

/** The agents of a run, where they lie. */
export class Agents {
  readonly #nodes: readonly SpanNode[];
  readonly #above = new Nearest(nameOfAgent);
  #byStart: FirstAtLeast | undefined;

  /** `nodes`: the spans of agents, by start. */
  constructor(nodes: readonly SpanNode[]) {
    this.#nodes = nodes;
  }

  /** Another agent that starts when the tool is done. */
  after(use: ToolUse): string | undefined {
    const node = use.executions[0]?.nodes[0];
    if (node === undefined) return undefined;
    const from = this.above(node);
    this.#byStart ??= new FirstAtLeast(this.#nodes.map(({ start }) => start));
    const next = this.#nodes[this.#byStart.place(node.end)];
    const name = next === undefined ? undefined : next.agentName;
    return name === undefined || (from !== undefined && sameAgent(from, name)) ? undefined : name;
  }

  /** An agent that ran inside a tool's span: the tool was that agent. */
  within(use: ToolUse): string | undefined {
    for (const span of use.executions) {
      for (const node of span.nodes) {
        const inner = this.#firstIn(node);
        if (inner !== undefined) return inner;
      }
    }
    return undefined;
  }

  #firstIn(node: SpanNode): string | undefined {
    if (node.children.length === 0) return undefined;
    const queue = [...node.children];
    for (const one of queue) {
      if (isGraph(one) && one.parent === node) return one.span.name;
      if (one.role === "agent" || one.role === "workflow") {
        const name = one.role === "agent" ? one.agentName : new Nearest(workflowName).of(one);
        if (name !== undefined) return name;
      }
      if (one.role !== "tool") for (const child of one.children) queue.push(child);
    }
    return undefined;
  }

  /** The agent in whose span a span lies. */
  above(node: SpanNode): string | undefined {
    return this.#above.of(node.parent);
  }
}
