import type { JsonValue } from "../../model/json.ts";
import { type DocumentNode, toValue } from "../document/node.ts";

const decimal = /^-?\d+(?:\.\d+)?$/;

/**
 * Converts a value of `match.where`. An unquoted decimal number becomes the text as written, because `1.10` and `1.1` are different
 * versions, and equal as numbers.
 */
export function whereValue(node: DocumentNode): JsonValue {
  if (node.kind === "list") return node.items.map(whereValue);
  if (node.kind === "map")
    return Object.fromEntries([...node.entries].map(([key, entry]) => [key, whereValue(entry.node)]));
  const isNumber = typeof node.value === "number" && node.plain && decimal.test(node.text);
  return isNumber ? node.text : toValue(node);
}
