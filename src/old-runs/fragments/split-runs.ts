import { isStopped } from "./is-run.ts";
import { isAbout, isOwner } from "./owners.ts";
import { RunGrouper } from "./run-grouper.ts";
import { Nearest } from "../span/nearest.ts";
import type { SpanNode } from "../span/span-node.ts";

/** One run's share of a trace. */
export interface RunSpans {
  readonly root: SpanNode;
  readonly nodes: readonly SpanNode[];
  /** A turn of a conversation whose turns lie below one span. */
  readonly isTurn?: boolean;
}

/**
 * The runs in a trace. Mostly one: whatever lies under the outermost agent. Several agents side by side under a server or
 * application are one run when one handed over to the other, or goes on from its words or requests; else each is its own.
 * @param maxPauseMs what begins so long after the end of another, or later, does not go on from it
 */
export function splitRuns(nodes: readonly SpanNode[], maxPauseMs: number): RunSpans[] {
  const tops = topsOf(nodes);
  const first = tops[0];
  if (first === undefined) return isStopped(nodes) ? nodes.map((root) => ({ root, nodes })) : [];
  const owners = tops.filter(isOwner);
  if (owners.length < 2) return [{ root: owners[0] ?? first, nodes }];
  const groups = groupOwners(owners, maxPauseMs);
  if (groups.length < 2) return [{ root: owners[0] ?? first, nodes }];
  return share(nodes, tops, groups);
}

/** Spans of agents with no such span above; what holds sessions, and what is not about agents, is looked through. */
function topsOf(nodes: readonly SpanNode[]): SpanNode[] {
  const about = new Nearest((node) => (isAbout(node) ? true : undefined));
  return nodes.filter((node) => isAbout(node) && about.of(node.parent) === undefined);
}

/** Each to the first group of which some earlier owner belongs together with it. */
function groupOwners(owners: readonly SpanNode[], maxPauseMs: number): SpanNode[][] {
  const groups: SpanNode[][] = [];
  const grouper = new RunGrouper(owners, maxPauseMs);
  for (const owner of owners) {
    const at = grouper.groupOf(owner) ?? groups.push([]) - 1;
    groups[at]?.push(owner);
    grouper.add(owner, at);
  }
  return groups;
}

/** Each node goes to the run of the top above it; tops that own nothing go to the run before them. */
function share(
  nodes: readonly SpanNode[],
  tops: readonly SpanNode[],
  groups: readonly SpanNode[][],
): RunSpans[] {
  const groupOf = new Map<SpanNode, SpanNode[]>();
  for (const group of groups) for (const owner of group) groupOf.set(owner, group);
  let current = groups[0] ?? [];
  const shares = new Map<SpanNode[], SpanNode[]>(groups.map((group) => [group, []]));
  const topGroup = new Map<SpanNode, SpanNode[]>();
  for (const top of tops) {
    current = groupOf.get(top) ?? current;
    topGroup.set(top, current);
  }
  const isTop = new Set(tops);
  const topOf = new Nearest((node) => (isTop.has(node) ? node : undefined));
  for (const node of nodes) {
    const top = topOf.of(node);
    if (top !== undefined) shares.get(topGroup.get(top) ?? current)?.push(node);
  }
  return groups.flatMap((group) => {
    const root = group[0];
    return root === undefined ? [] : [{ root, nodes: shares.get(group) ?? [] }];
  });
}
