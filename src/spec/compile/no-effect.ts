import type { Check } from "../../evaluate/checks/check.ts";
import { type DocumentNode, entryOf, type MapEntry } from "../document/node.ts";
import { type Problem, warningAt } from "../document/problems/problem.ts";

const ofScores = ["min_mean_score", "max_std_dev"];

/** Reports keys without effect, because the key that they modify is missing. An inherited key is valid if it has an effect in one query. */
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
            `\`${check.key}\` has no effect without ${keys}`,
            `write ${keys} next to this key, or remove this key`,
          ),
        ],
  );
}

/**
 * Reports keys of `reliability` that decide nothing: `confidence` without `min_pass_rate`, `sequential` without `confidence`, and limits on
 * scores without `scoring`.
 */
export function idleReliability(queries: readonly DocumentNode[]): Problem[] {
  // Queries can inherit the same block, which is reported once.
  const found = new Map<DocumentNode, Problem>();
  for (const query of queries) {
    const reliability = entryOf(query, "reliability")?.node;
    const confidence = entryOf(reliability, "confidence");
    if (confidence && !entryOf(reliability, "min_pass_rate")) {
      const message = "`confidence` has no effect without `min_pass_rate`";
      const hint = "write min_pass_rate, or remove the key";
      found.set(confidence.node, warningAt(confidence.keyAt, "spec/no-effect", message, hint));
    }
    const sequential = entryOf(reliability, "sequential");
    if (sequential && !confidence) {
      const message = "`sequential` has no effect without `confidence`";
      found.set(
        sequential.node,
        warningAt(sequential.keyAt, "spec/no-effect", message, "write confidence, or remove the key"),
      );
    }
    for (const key of entryOf(query, "scoring") ? [] : ofScores) {
      const limit = entryOf(reliability, key);
      if (!limit) continue;
      const message = `\`${key}\` needs scores, and runs of this query have none: the gate stays incomplete`;
      const hint = "write `scoring`, with the weights or as {}";
      found.set(limit.node, warningAt(limit.keyAt, "spec/no-effect", message, hint));
    }
  }
  return [...found.values()];
}
