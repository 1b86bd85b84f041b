import { plainName } from "../messages/pick.ts";
import { Nearest } from "../span/nearest.ts";
import type { SpanNode } from "../span/span-node.ts";
import { toolName } from "../span/read-tool.ts";
import type { JsonValue } from "../../model/json.ts";

/** One execution of a tool: its span, with those of other layers inside it. */
export interface ToolSpan {
  readonly nodes: readonly [SpanNode, ...SpanNode[]];
  readonly name: string | undefined;
  readonly callId: string | undefined;
  readonly arguments: JsonValue | undefined;
  readonly result: JsonValue | undefined;
  readonly error: string | null;
}

/** A tool span within one of the same name, or where one of the two has no name, is the same execution. */
export function toolSpans(nodes: readonly SpanNode[]): ToolSpan[] {
  const groups = new Set<[SpanNode, ...SpanNode[]]>();
  const groupOf = new Map<SpanNode, [SpanNode, ...SpanNode[]]>();
  const around = new Nearest((node) => {
    if (node.role === "tool") return node;
    return node.role === "agent" || node.role === "call" ? null : undefined;
  });
  for (const node of nodes) {
    if (node.role !== "tool") continue;
    const outer = around.of(node.parent) ?? undefined;
    const isSame = outer !== undefined && sameName(toolName(outer), toolName(node));
    const known = isSame ? groupOf.get(outer) : undefined;
    known?.push(node);
    const group = known ?? [node];
    groups.add(group);
    groupOf.set(node, group);
  }
  return Array.from(groups, merge);
}

function sameName(outer: string | undefined, inner: string | undefined): boolean {
  if (outer === undefined || inner === undefined) return true;
  const [a, b] = [plainName(outer), plainName(inner)];
  return a === b || a.endsWith(b) || b.endsWith(a);
}

function merge(nodes: [SpanNode, ...SpanNode[]]): ToolSpan {
  const all = nodes.map(({ tool }) => tool);
  return {
    nodes,
    name: first(all.map((one) => one.name)),
    callId: first(all.map((one) => one.callId)),
    arguments: first(all.map((one) => one.arguments)),
    result: first(all.map((one) => one.result)),
    error: first(all.map((one) => one.error ?? undefined)) ?? null,
  };
}

function first<T>(values: readonly (T | undefined)[]): T | undefined {
  return values.find((value) => value !== undefined);
}
