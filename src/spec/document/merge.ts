import { mapNode, type DocumentNode, type MapEntry } from "./node.ts";

/**
 * Two values as one: maps merge key by key, to any depth; anything else, lists included, is replaced by `over`. What is
 * kept keeps the place it was written at.
 */
export function mergeNodes(base: DocumentNode, over: DocumentNode): DocumentNode {
  if (base.kind !== "map" || over.kind !== "map") return over;
  const entries = new Map<string, MapEntry>(base.entries);
  for (const [key, entry] of over.entries) {
    const below = entries.get(key);
    entries.set(key, below ? { keyAt: entry.keyAt, node: mergeNodes(below.node, entry.node) } : entry);
  }
  return mapNode(over.at, entries);
}

/** The same without keys that have no value, down to `depth` levels of maps and through lists. A key left empty counts as not written. */
export function withoutEmpty(node: DocumentNode, depth: number): DocumentNode {
  if (node.kind !== "map" || depth === 0) return node;
  const entries = new Map<string, MapEntry>();
  for (const [key, entry] of node.entries) {
    if (entry.node.kind === "scalar" && entry.node.value === null) continue;
    entries.set(key, { keyAt: entry.keyAt, node: withoutEmpty(entry.node, depth - 1) });
  }
  return mapNode(node.at, entries);
}
