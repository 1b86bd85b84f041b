import { plainName } from "../messages/pick.ts";
import { SetIndex } from "../search/set-index.ts";
import { Nearest } from "../span/nearest.ts";
import type { SpanNode } from "../span/span-node.ts";
import { toolName } from "../span/read-tool.ts";
import type { JsonValue } from "../../model/json.ts";

/** One execution of a tool: its span, with those of other layers inside it. */
export interface ToolExecution {
  readonly nodes: readonly [SpanNode, ...SpanNode[]];
  readonly name: string | undefined;
  readonly callId: string | undefined;
  readonly arguments: JsonValue | undefined;
  readonly result: JsonValue | undefined;
  readonly error: string | null;
}

/** A tool span within one of the same name, or where one of the two has no name, is the same execution. `tools`: spans of tools. */
export function toolExecutions(tools: readonly SpanNode[]): readonly ToolExecution[] {
  if (tools.length === 0) return noExecutions;
  const groups: Group[] = [];
  const around = new Nearest(toolOrEdge);
  /** Made when a tool's span lies within another's. */
  let groupOf: Map<SpanNode, Group> | undefined;
  for (const node of tools) {
    const outer = around.of(node.parent) ?? undefined;
    if (outer !== undefined && groupOf === undefined)
      groupOf = new Map(groups.map((group) => [group[0], group]));
    const isSame = outer !== undefined && sameName(toolName(outer), toolName(node));
    const known = isSame ? groupOf?.get(outer) : undefined;
    known?.push(node);
    const group: Group = known ?? [node];
    if (known === undefined) groups.push(group);
    groupOf?.set(node, group);
  }
  return withMirrors(groups).map(merge);
}

type Group = [SpanNode, ...SpanNode[]];

const noExecutions: readonly ToolExecution[] = [];

function toolOrEdge(node: SpanNode): SpanNode | null | undefined {
  if (node.role === "tool") return node;
  return node.role === "agent" || node.role === "call" ? null : undefined;
}

/** A server's or plugin's name before a tool's: `mcp__store__get_stock`, `store.get_stock`. */
const prefixed = /^.+(?:__|[.:/-])(.+)$/;

/** At most so many executions are compared with one span. */
const MAX_COMPARED = 64;

/**
 * Adds to an execution the span of the layer below where that stands beside it instead of within: a bare `tools/call get_stock`
 * of an MCP client during `mcp__store__get_stock`. An execution has one such span at most.
 */
function withMirrors(groups: readonly Group[]): readonly Group[] {
  const bare = groups.filter(isBare);
  if (bare.length === 0 || bare.length === groups.length) return groups;
  const byEnd = new SetIndex<string, Group>();
  for (const group of groups) {
    const end = prefixed.exec(toolName(group[0]) ?? "")?.[1];
    if (end !== undefined && !isBare(group)) byEnd.add(end, group);
  }
  const mirrored = new Set<Group>();
  const joined = new Set<Group>();
  for (const mirror of bare) {
    let compared = 0;
    for (const group of byEnd.get(toolName(mirror[0]) ?? "")) {
      if (compared++ === MAX_COMPARED) break;
      if (mirrored.has(group) || !isDuring(mirror[0], group[0])) continue;
      mirrored.add(group);
      group.push(mirror[0]);
      joined.add(mirror);
      break;
    }
  }
  return joined.size === 0 ? groups : groups.filter((group) => !joined.has(group));
}

/** One span that names a tool and says nothing else of the call. */
function isBare([node, ...others]: readonly [SpanNode, ...SpanNode[]]): boolean {
  const { name, callId, arguments: args, result } = node.tool;
  return others.length === 0 && name !== undefined && (callId ?? args ?? result) === undefined;
}

function isDuring(inner: SpanNode, outer: SpanNode): boolean {
  return inner.span.traceId === outer.span.traceId && inner.start >= outer.start && inner.end <= outer.end;
}

function sameName(outer: string | undefined, inner: string | undefined): boolean {
  if (outer === undefined || inner === undefined) return true;
  const [a, b] = [plainName(outer), plainName(inner)];
  return a === b || a.endsWith(b) || b.endsWith(a);
}

function merge(nodes: Group): ToolExecution {
  let { name, callId, arguments: args, result, error } = nodes[0].tool;
  for (let at = 1; at < nodes.length; at++) {
    const { tool } = nodes[at] as SpanNode;
    name ??= tool.name;
    callId ??= tool.callId;
    args = args === undefined ? tool.arguments : args;
    result = result === undefined ? tool.result : result;
    error ??= tool.error;
  }
  return { nodes, name, callId, arguments: args, result, error };
}
