import { listNode, mapNode, type DocumentNode, type MapEntry } from "./node.ts";

/**
 * Merges two values. Maps merge key by key, at any depth. A value of `over` that is not empty replaces any other value, including a list.
 * All values keep their source positions.
 */
export function mergeNodes(base: DocumentNode, over: DocumentNode): DocumentNode {
  if (isEmpty(over)) return base;
  if (base.kind !== "map" || over.kind !== "map") return over;
  const entries = new Map<string, MapEntry>(base.entries);
  for (const [key, entry] of over.entries) {
    const below = entries.get(key);
    entries.set(key, below ? { keyAt: entry.keyAt, node: mergeNodes(below.node, entry.node) } : entry);
  }
  return mapNode(over.at, entries);
}

/**
 * Removes empty keys on the first `depth` levels of maps; lists do not count as levels. A null on a deeper level, or under a key of `keep`,
 * is a value and is not removed.
 */
export function withoutEmpty(node: DocumentNode, depth: number, keep: ReadonlySet<string>): DocumentNode {
  if (node.kind === "scalar" || depth === 0) return node;
  if (node.kind === "list")
    return listNode(
      node.at,
      node.items.map((item) => withoutEmpty(item, depth, keep)),
    );
  const entries = new Map<string, MapEntry>();
  for (const [key, entry] of node.entries) {
    if (keep.has(key)) entries.set(key, entry);
    else if (!isEmpty(entry.node))
      entries.set(key, { keyAt: entry.keyAt, node: withoutEmpty(entry.node, depth - 1, keep) });
  }
  return mapNode(node.at, entries);
}

function isEmpty(node: DocumentNode): boolean {
  return node.kind === "scalar" && node.value === null;
}
