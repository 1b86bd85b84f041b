import type { JsonValue } from "../../model/json.ts";
import type { SourcePosition } from "../../model/verdict.ts";

/** A range on one line of a file. */
export interface Place extends SourcePosition {
  readonly length: number;
}

interface Located {
  readonly at: Place;
  /** Number of values in the node, including itself. A node to which several aliases refer counts once for each alias. */
  readonly size: number;
}

export interface ScalarNode extends Located {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
  /** Text of the scalar before conversion to a number or another type. */
  readonly text: string;
  /** True if the scalar has no quotes and is not a block scalar, so that it may be converted. */
  readonly plain: boolean;
}

export interface MapEntry {
  readonly keyAt: Place;
  readonly node: DocumentNode;
}

export interface MapNode extends Located {
  readonly kind: "map";
  readonly entries: ReadonlyMap<string, MapEntry>;
}

export interface ListNode extends Located {
  readonly kind: "list";
  readonly items: readonly DocumentNode[];
}

/**
 * A value of a YAML document with its source position. Aliases, merge keys and includes are resolved, so neighbours can come from different
 * files. Nodes are immutable and can be shared.
 */
export type DocumentNode = ScalarNode | MapNode | ListNode;

export function mapNode(at: Place, entries: ReadonlyMap<string, MapEntry>): MapNode {
  let size = 1;
  for (const entry of entries.values()) size += entry.node.size;
  return { kind: "map", at, entries, size };
}

export function listNode(at: Place, items: readonly DocumentNode[]): ListNode {
  return { kind: "list", at, items, size: items.reduce((sum, item) => sum + item.size, 1) };
}

export function scalarNode(at: Place, value: string | number | boolean | null, plain = true): ScalarNode {
  return { kind: "scalar", at, value, text: value === null ? "" : String(value), plain, size: 1 };
}

/** Converts a node to a JSON value. Maps become objects without a prototype, because keys are untrusted input. */
export function toValue(node: DocumentNode): JsonValue {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map(toValue);
  const object = Object.create(null) as Record<string, JsonValue>;
  for (const [key, entry] of node.entries) object[key] = toValue(entry.node);
  return object;
}

/** Returns the node at a path of keys and list indices; undefined if there is none. */
export function nodeAt(
  root: DocumentNode | undefined,
  path: readonly PropertyKey[],
): DocumentNode | undefined {
  let node = root;
  for (const step of path) node = node && child(node, step);
  return node;
}

/** Returns the text at a path; undefined if there is no text. */
export function textAt(root: DocumentNode | undefined, ...path: readonly PropertyKey[]): string | undefined {
  const node = nodeAt(root, path);
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
}

/** Returns the items of the list at a path; empty if there is no list. */
export function itemsAt(
  root: DocumentNode | undefined,
  ...path: readonly PropertyKey[]
): readonly DocumentNode[] {
  const node = nodeAt(root, path);
  return node?.kind === "list" ? node.items : [];
}

/** Returns the keys of the map at a path; empty if there is no map. */
export function keysIn(root: DocumentNode | undefined, ...path: readonly PropertyKey[]): readonly string[] {
  const node = nodeAt(root, path);
  return node?.kind === "map" ? [...node.entries.keys()] : [];
}

/** Returns the position of the deepest existing part of a path. */
export function placeOf(root: DocumentNode, path: readonly PropertyKey[]): Place {
  let node = root;
  for (const step of path) {
    const next = child(node, step);
    if (!next) break;
    node = next;
  }
  return node.at;
}

/** Returns the position of the last key of a path; if it does not exist, the position of the deepest existing part. */
export function keyPlaceOf(root: DocumentNode, path: readonly PropertyKey[]): Place {
  const parent = nodeAt(root, path.slice(0, -1));
  const key = path.at(-1);
  const entry = parent?.kind === "map" && key !== undefined ? parent.entries.get(String(key)) : undefined;
  return entry?.keyAt ?? placeOf(root, path);
}

export function entryOf(node: DocumentNode | undefined, key: string): MapEntry | undefined {
  return node?.kind === "map" ? node.entries.get(key) : undefined;
}

function child(node: DocumentNode, step: PropertyKey): DocumentNode | undefined {
  if (node.kind === "map") return node.entries.get(String(step))?.node;
  if (node.kind === "list") return node.items[Number(step)];
  return undefined;
}

/** Returns a copy in which `map` replaced each scalar. */
export function mapScalars(node: DocumentNode, map: (scalar: ScalarNode) => ScalarNode): DocumentNode {
  if (node.kind === "scalar") return map(node);
  if (node.kind === "list")
    return listNode(
      node.at,
      node.items.map((item) => mapScalars(item, map)),
    );
  const entries = [...node.entries].map(
    ([key, entry]) => [key, { ...entry, node: mapScalars(entry.node, map) }] as const,
  );
  return mapNode(node.at, new Map(entries));
}
