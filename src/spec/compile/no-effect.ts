import type { Check } from "../../evaluate/checks/check.ts";
import { type DocumentNode, entryOf, itemsAt, keysIn, type MapEntry, nodeAt } from "../document/node.ts";
import { type Problem, warningAt } from "../document/problems/problem.ts";

/** Keys of `reliability`, each with the key that it modifies. */
const modifiers = [
  ["confidence", "min_pass_rate"],
  ["sequential", "confidence"],
] as const;
const ofScores = ["min_mean_score", "max_std_dev"];

/** Reports keys without effect, because the key that they modify is missing. An inherited key is valid if it has an effect in one query. */
export function unmetNeeds(queries: readonly DocumentNode[], checks: readonly Check[]): Problem[] {
  return checks.flatMap((check) => (check.needs === undefined ? [] : unmet(queries, check, check.needs)));
}

function unmet(queries: readonly DocumentNode[], check: Check, needed: readonly string[]): Problem[] {
  const keys = needed.map((key) => `\`${key}\``).join(" or ");
  return idleKey(queries, check.layer, check.key, {
    hasEffect: (query) => needed.some((key) => nodeAt(query, [check.layer, key])),
    message: `\`${check.key}\` has no effect without ${keys}`,
    hint: `write ${keys} next to this key, or remove this key`,
  });
}

/** Returns the values of a map, which a query that inherits and extends the map still contains. */
function valuesIn(node: DocumentNode): readonly DocumentNode[] {
  return node.kind === "map" ? [...node.entries.values()].map((entry) => entry.node) : [];
}

/**
 * Reports a key that has no effect in its query. An inherited key is valid if it has an effect in one query.
 * @param layer layer that contains the key; null if the query itself contains the key
 */
export function idleKey(
  queries: readonly DocumentNode[],
  layer: string | null,
  key: string,
  {
    hasEffect,
    message,
    hint,
  }: {
    readonly hasEffect: (query: DocumentNode) => boolean;
    readonly message: string;
    readonly hint: string;
  },
): Problem[] {
  const idle = new Map<DocumentNode, MapEntry>();
  const useful = new Set<DocumentNode>();
  for (const query of queries) {
    const entry = entryOf(layer === null ? query : nodeAt(query, [layer]), key);
    if (!entry) continue;
    if (hasEffect(query)) for (const node of [entry.node, ...valuesIn(entry.node)]) useful.add(node);
    else idle.set(entry.node, entry);
  }
  return [...idle.values()]
    .filter(({ node }) => ![node, ...valuesIn(node)].some((one) => useful.has(one)))
    .map(({ keyAt }) => warningAt(keyAt, "spec/no-effect", message, hint));
}

/** Keys of `retrieval` that are no checks. */
const retrievalSettings: readonly string[] = ["tool", "result_format", "empty_markers", "refusal_markers"];
const conditions = ["equals", "includes", "contains", "not_contains", "regex", "judge", "max_count"];

/** Reports blocks without a check: `retrieval` with settings only, and an item of `spans` that every run meets. */
export function idleBlocks(queries: readonly DocumentNode[]): Problem[] {
  return [
    ...idleKey(queries, null, "retrieval", {
      hasEffect: (query) => keysIn(query, "retrieval").some((key) => !retrievalSettings.includes(key)),
      message: "`retrieval` has no effect without a check",
      hint: "write a check such as `forbid_empty: true`, or remove the key",
    }),
    ...distinct(queries.flatMap((query) => itemsAt(query, "spans").filter(isAlwaysMet))).map(({ at }) =>
      warningAt(
        at,
        "spec/no-effect",
        "every run meets this assertion: `min_count` is 0, and there is no condition",
        "write a condition or `max_count`, or remove `min_count`",
      ),
    ),
  ];
}

function isAlwaysMet(assertion: DocumentNode): boolean {
  const least = nodeAt(assertion, ["min_count"]);
  return least?.kind === "scalar" && least.value === 0 && !conditions.some((key) => nodeAt(assertion, [key]));
}

/** Returns each node once: queries can inherit the same node. */
function distinct(nodes: readonly DocumentNode[]): readonly DocumentNode[] {
  return [...new Set(nodes)];
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
    for (const [key, needed] of modifiers) {
      const idle = entryOf(reliability, key);
      if (!idle || entryOf(reliability, needed)) continue;
      const message = `\`${key}\` has no effect without \`${needed}\``;
      const hint = `write ${needed}, or remove the key`;
      found.set(idle.node, warningAt(idle.keyAt, "spec/no-effect", message, hint));
    }
    for (const key of entryOf(query, "scoring") ? [] : ofScores) {
      const limit = entryOf(reliability, key);
      if (!limit) continue;
      const message = `\`${key}\` needs scores, and runs of this query have none: the gate stays incomplete`;
      const hint = "add `scoring: {}`, or `scoring` with weights, to the query";
      found.set(limit.node, warningAt(limit.keyAt, "spec/no-effect", message, hint));
    }
  }
  return [...found.values()];
}
