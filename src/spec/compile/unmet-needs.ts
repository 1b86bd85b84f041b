import type { Check } from "../../evaluate/checks/check.ts";
import { entryOf, type DocumentNode, type MapEntry } from "../document/node.ts";
import { warningAt, type Problem } from "../document/problems/problem.ts";

/**
 * Keys that say nothing because the key they go with is nowhere beside them. One that is inherited is fine as long as it says
 * something in any of the queries.
 */
export function unmetNeeds(queries: readonly DocumentNode[], checks: readonly Check[]): Problem[] {
  return checks.flatMap((check) => (check.needs === undefined ? [] : unmet(queries, check, check.needs)));
}

function unmet(queries: readonly DocumentNode[], check: Check, needed: readonly string[]): Problem[] {
  const keys = needed.map((key) => `\`${key}\``).join(" or ");
  const idle = new Map<MapEntry["node"], MapEntry>();
  const useful = new Set<MapEntry["node"]>();
  for (const query of queries) {
    const layer = entryOf(query, check.layer)?.node;
    const entry = entryOf(layer, check.key);
    if (!entry) continue;
    if (needed.some((key) => entryOf(layer, key))) useful.add(entry.node);
    else idle.set(entry.node, entry);
  }
  return [...idle.values()].flatMap(({ node, keyAt }) =>
    useful.has(node)
      ? []
      : [
          warningAt(
            keyAt,
            "spec/no-effect",
            `\`${check.key}\` says nothing without ${keys}`,
            `write ${keys} beside it, or take it out`,
          ),
        ],
  );
}
