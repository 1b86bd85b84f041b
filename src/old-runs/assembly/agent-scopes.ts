import type { LlmCall } from "../fragments/llm-call.ts";
import { Nearest } from "../span/nearest.ts";
import type { SpanNode } from "../span/span-node.ts";
import type { Evidence } from "./evidence.ts";
import type { Step } from "./step.ts";

/** What one agent, or one tool that runs an agent, did itself: not what further agents and tools within it did. */
export interface Scope {
  /** The agent's or tool's span; undefined for calls and tools outside of any. */
  readonly owner: SpanNode | undefined;
  /** By start. */
  readonly calls: LlmCall[];
  readonly ran: { readonly step: Step; readonly node: SpanNode }[];
}

export function scopesOf({ allCalls }: Evidence, steps: readonly Step[]): Scope[] {
  const owners = new Nearest((node) => (node.role === "agent" || node.role === "tool" ? node : undefined));
  const scopes = new Map<SpanNode | undefined, Scope>();
  const scopeOf = (node: SpanNode): Scope => {
    const owner = owners.of(node.parent);
    let scope = scopes.get(owner);
    if (scope === undefined) scopes.set(owner, (scope = { owner, calls: [], ran: [] }));
    return scope;
  };
  for (const call of allCalls) scopeOf(call.node).calls.push(call);
  for (const step of steps) {
    const node = step.use.executions[0]?.nodes[0];
    if (node !== undefined) scopeOf(node).ran.push({ step, node });
  }
  return [...scopes.values()];
}

/** No adapter says what the span is: its bounds may be drawn wrongly. */
export function isInferred(owner: SpanNode | undefined): boolean {
  return owner === undefined || owner.reading.dialects.adapters.length === 0;
}

/** An agent's span, as its producer declares it. */
export function isDeclaredAgent(owner: SpanNode | undefined): boolean {
  return owner?.role === "agent" && !isInferred(owner);
}
