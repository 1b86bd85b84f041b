import type { DocumentNode } from "../document/node.ts";
import { type Problem, problemAt } from "../document/problems/problem.ts";

/**
 * Reports keys and list items without a value, because an empty `forbidden_tools:` would check nothing. Null is allowed as the value of a
 * key in `nullable`, and anywhere inside that value.
 */
export function emptyKeys(root: DocumentNode, nullable: ReadonlySet<string>): readonly Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<DocumentNode>();
  const walk = (node: DocumentNode, name: string): void => {
    // Visits a block once, even if several aliases refer to it.
    if (seen.has(node)) return;
    seen.add(node);
    if (node.kind === "list") {
      for (const item of node.items) {
        if (isEmpty(item))
          problems.push(
            problemAt(
              item.at,
              CODE,
              `an item of the list \`${name}\` has no value`,
              "write the value, or delete the dash",
            ),
          );
        else walk(item, name);
      }
    }
    if (node.kind !== "map") return;
    for (const [key, { keyAt, node: value }] of node.entries) {
      if (nullable.has(key)) continue;
      if (isEmpty(value)) problems.push(problemAt(keyAt, CODE, `\`${key}\` has no value`, HINT));
      else walk(value, key);
    }
  };
  walk(root, "the spec");
  return problems;
}

const CODE = "spec/empty-key";
const HINT = "write its value ([] for an empty list), or delete the key";

function isEmpty(node: DocumentNode): boolean {
  return node.kind === "scalar" && node.value === null;
}
