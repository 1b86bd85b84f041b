import type { Check } from "../../evaluate/checks/check.ts";
import { namesIn, variableNames } from "../../evaluate/rules/variables.ts";
import { layers } from "../../model/outcome.ts";
import { type DocumentNode, itemsAt, keysIn, nodeAt } from "../document/node.ts";
import { type Problem, problemAt } from "../document/problems/problem.ts";
import { suggest } from "../document/problems/suggest.ts";

/**
 * Reports a `{name}` in a check that no pattern or turn of the query captures. An uncaptured `{name}` would stay in the text, and no answer
 * contains `{name}`.
 */
export function unknownVariables(query: DocumentNode, checks: readonly Check[]): Problem[] {
  const turns = itemsAt(query, "turns");
  const pattern = nodeAt(query, ["match", "pattern"]);
  const known = [
    ...namesIn(pattern?.kind === "scalar" ? pattern.text : ""),
    ...turns.flatMap((turn) => keysIn(turn, "capture")),
  ];
  const isText = new Set(checks.filter(({ judged }) => judged !== true).map(({ key }) => key));
  return [query, ...turns].flatMap((expecting) =>
    layers.flatMap((layer) => {
      const block = nodeAt(expecting, [layer]);
      if (block?.kind !== "map") return [];
      return [...block.entries].flatMap(([key, { node }]) =>
        isText.has(key) ? [...scalarsOf(node)].flatMap((scalar) => problemsOf(scalar, key, known)) : [],
      );
    }),
  );
}

function problemsOf(node: DocumentNode, key: string, known: readonly string[]): Problem[] {
  if (node.kind !== "scalar" || typeof node.value !== "string") return [];
  const name = variableNames(key, node.value).find((one) => !known.includes(one));
  if (name === undefined) return [];
  const near = suggest(name, known);
  const hint =
    near === undefined
      ? `capture it, \`match: { pattern: "… {${name}} …" }\`, or write \`\\{${name}}\` for the literal text`
      : `did you mean \`{${near}}\`?`;
  const captured = known.length === 0 ? "captures nothing" : `captures ${[...new Set(known)].join(", ")}`;
  const message = `\`{${name}}\` has no value: the query ${captured}`;
  return [problemAt(node.at, "spec/unknown-variable", message, hint)];
}

function* scalarsOf(node: DocumentNode): Generator<DocumentNode> {
  if (node.kind === "scalar") yield node;
  else
    for (const inner of node.kind === "list"
      ? node.items
      : [...node.entries.values()].map((entry) => entry.node))
      yield* scalarsOf(inner);
}
