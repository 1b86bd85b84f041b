import { normaliseText } from "../../match/rules/normalise.ts";
import type { Check } from "../../evaluate/checks/check.ts";
import { panelAdvice } from "../../evaluate/judge/family.ts";
import { judgeSettingsSchema } from "../../evaluate/judge/settings.ts";
import { blockCheckKeys } from "../../evaluate/query/blocks.ts";
import { foldName } from "../../evaluate/rules/fold-name.ts";
import { layers } from "../../model/outcome.ts";
import { canonicalJson } from "../../support/structures/canonical-json.ts";
import { type DocumentNode, entryOf, itemsAt, keysIn, nodeAt, type Place, textAt } from "../document/node.ts";
import { type Problem, problemAt, warningAt } from "../document/problems/problem.ts";
import { nearHint, suggest } from "../document/problems/suggest.ts";
import { idleBlocks, idleKey, idleReliability, unmetNeeds } from "./no-effect.ts";
import { assignIds } from "./ids.ts";
import { namesIn } from "../table/fill-row.ts";
import { rubricScales } from "../reference/rubric-scales.ts";
import { unknownVariables } from "./unknown-variables.ts";
import { filesOutside } from "./files-outside.ts";
import { whereValue } from "./where-value.ts";
import { confidenceTraps, fieldTraps, modeTraps, scoreTraps, slashTraps } from "./traps.ts";

/** Reports errors and probable mistakes in a spec that the schema accepts. */
export function meaningProblems(
  root: DocumentNode,
  queries: readonly DocumentNode[],
  checks: readonly Check[],
  isRow: (place: Place) => boolean,
): Problem[] {
  return [
    ...duplicateIds(queries),
    ...duplicateTexts(queries),
    ...alikeTexts(queries),
    ...(entryOf(root, "preset") ? [] : queries.flatMap(modeTraps)),
    ...queries.flatMap(slashTraps),
    ...queries.flatMap(fieldTraps),
    ...queries.flatMap(scoreTraps),
    ...queries.flatMap(confidenceTraps),
    ...idleBlocks(queries),
    ...unmetNeeds(queries, checks),
    ...unknownJudgeSettings(root),
    ...likeMindedJudges(root),
    ...queries.flatMap(conflictingTools),
    ...queries.flatMap(strayTurns),
    ...queries.flatMap(unknownCaptures),
    // Cells of a table are data, so braces in rows are not checked.
    ...queries.flatMap((query) => (isRow(query.at) ? [] : unknownVariables(query, checks))),
    ...queries.flatMap(idleSimulation),
    ...strayCoherence(queries),
    ...queries.flatMap(unfinished),
    ...queries.flatMap(rubricScales),
    ...idleReliability(queries),
    ...unknownWaivers(root, queries, checks),
    ...filesOutside(root, queries),
  ];
}

function duplicateIds(queries: readonly DocumentNode[]): Problem[] {
  return repeats(queries, (query) => textAt(query, "id")).map(({ node, first, key }) => {
    const { at } = nodeAt(node, ["id"]) ?? node;
    const message = `the id ${JSON.stringify(key)} is already used by the query on line ${first.at.line}`;
    return problemAt(at, "spec/duplicate-id", message, "give each query its own id");
  });
}

/**
 * Reports queries with equal text and equal `where`, which match the same runs. A duplicate of `"*"` is an error. Any other duplicate
 * is a warning; it is not reported if both queries have an `id`.
 */
function duplicateTexts(queries: readonly DocumentNode[]): Problem[] {
  const keyOf = (query: DocumentNode) => `${textAt(query, "query") ?? ""}\0${whereOf(query)}`;
  return repeats(queries, keyOf).flatMap(({ node, first }) => {
    const { at } = nodeAt(node, ["query"]) ?? node;
    const line = `the query on line ${first.at.line}`;
    if (textAt(node, "query") === "*") {
      const message = `there are two wildcards with the same \`where\`; the first is ${line}`;
      return problemAt(at, "spec/two-wildcards", message, "keep one, or distinguish them with `match.where`");
    }
    if (textAt(node, "id") !== undefined && textAt(first, "id") !== undefined) return [];
    const message = `the same text as ${line}: a run with this text matches both queries, and is then ambiguous`;
    return warningAt(
      at,
      "spec/duplicate-query",
      message,
      "keep one, distinguish them with `match.where`, or give both an `id`",
    );
  });
}

/**
 * Reports different texts that matching cannot distinguish, because normalisation makes them equal. For equal texts, see `duplicateTexts`.
 */
function alikeTexts(queries: readonly DocumentNode[]): Problem[] {
  const keyOf = (query: DocumentNode): string | undefined => {
    const text = textAt(query, "query") ?? "";
    if (text.trim() === "") return undefined;
    return [normaliseText(text), textAt(query, "scope") ?? "run", whereOf(query)].join("\0");
  };
  return repeats(queries, keyOf).flatMap(({ node, first }) => {
    if (textAt(node, "query") === textAt(first, "query")) return [];
    const { at } = nodeAt(node, ["query"]) ?? node;
    const message = `this text differs from the query on line ${first.at.line} only in case, spacing, quotes or end punctuation, which matching ignores`;
    return problemAt(at, "spec/alike-queries", message, "keep one, or distinguish them with `match.where`");
  });
}

/** Returns the query's `where` as JSON. */
function whereOf(query: DocumentNode): string {
  const where = nodeAt(query, ["match", "where"]);
  return where ? canonicalJson(whereValue(where)) : "{}";
}

function conflictingTools(query: DocumentNode): Problem[] {
  // A name without letters and digits is another problem (`spec/bad-value`).
  const toolsIn = (key: string) =>
    scalarsIn(itemsAt(query, "path", key)).filter(([name]) => foldName(name) !== "");
  const forbidden = new Set(toolsIn("forbidden_tools").map(([name]) => foldName(name)));
  return toolsIn("expected_tools").flatMap(([name, node]) =>
    forbidden.has(foldName(name))
      ? [warningAt(node.at, "spec/conflict", `${name} is expected and forbidden in the same query`)]
      : [],
  );
}

function strayTurns(query: DocumentNode): Problem[] {
  const scope = entryOf(query, "scope");
  const turns = entryOf(query, "turns") ?? entryOf(query, "simulate");
  if (!turns || !scope || textAt(query, "scope") === "conversation") return [];
  return [
    problemAt(
      scope.node.at,
      "spec/conflict",
      entryOf(query, "turns") ? "`turns` needs a conversation" : "`simulate` needs a conversation",
      "write `scope: conversation`",
    ),
  ];
}

/** Reports variables in a turn that no earlier turn captures. Ignores queries without `capture`. */
function unknownCaptures(query: DocumentNode): Problem[] {
  const turns = itemsAt(query, "turns");
  const captures = turns.map((turn) => keysIn(turn, "capture"));
  const all = captures.flat();
  if (all.length === 0) return [];
  return turns.flatMap((turn, at) => {
    const text = nodeAt(turn, ["query"]);
    const before = captures.slice(0, at).flat();
    const unknown = namesIn(textAt(turn, "query") ?? "").find((name) => !before.includes(name));
    if (text === undefined || unknown === undefined) return [];
    const near = suggest(unknown, before);
    const hint = all.includes(unknown)
      ? `move \`capture\` of \`${unknown}\` to a turn before the turn that uses \`{${unknown}}\``
      : near === undefined
        ? `captured before: ${before.join(", ") || "nothing"}`
        : `did you mean the variable \`${near}\`?`;
    return [warningAt(text.at, "spec/unknown-name", `no turn before this one captures \`${unknown}\``, hint)];
  });
}

/**
 * Reports a simulated user that never speaks, or that has no first message. The simulated user continues after the written turns, so
 * `max_turns` must exceed the number of written turns.
 */
function idleSimulation(query: DocumentNode): Problem[] {
  const simulate = entryOf(query, "simulate");
  if (!simulate) return [];
  const messages = nodeAt(query, ["turns"])?.kind === "list" ? itemsAt(query, "turns") : [query];
  const texts = messages.map((message) => textAt(message, "query"));
  if (texts.includes("*")) {
    const message = "a simulated user continues after the first message, and this query has none";
    return [problemAt(simulate.keyAt, "spec/conflict", message, "write the user's first message as `query`")];
  }
  const most = entryOf(simulate.node, "max_turns")?.node;
  if (
    most?.kind !== "scalar" ||
    typeof most.value !== "number" ||
    most.value < 1 ||
    most.value > texts.length
  )
    return [];
  const written = `${texts.length} message${texts.length === 1 ? "" : "s"}`;
  const message = `\`max_turns\` leaves no message for the simulated user: the query already contains ${written}`;
  return [warningAt(most.at, "spec/no-effect", message, `write at least \`max_turns: ${texts.length + 1}\``)];
}

/** Reports a query with `todo`, because none of its runs passes. */
function unfinished(query: DocumentNode): Problem[] {
  const todo = entryOf(query, "todo");
  const text = textAt(query, "todo");
  if (!todo || text === undefined) return [];
  const message = "the query is not finished: until `todo` is removed, none of its runs passes";
  return [warningAt(todo.keyAt, "spec/todo", message, text)];
}

/**
 * Reports `min_coherence` in a query about single runs. An inherited `min_coherence` is valid if a query about a conversation also inherits
 * it.
 */
function strayCoherence(queries: readonly DocumentNode[]): Problem[] {
  return idleKey(queries, "path", "min_coherence", {
    hasEffect: (query) =>
      ["turns", "simulate"].some((key) => nodeAt(query, [key])) || textAt(query, "scope") === "conversation",
    message: "`min_coherence` judges conversations, but this query judges single runs",
    hint: "write `scope: conversation`, or remove the key",
  });
}

function unknownWaivers(
  root: DocumentNode,
  queries: readonly DocumentNode[],
  checks: readonly Check[],
): Problem[] {
  const texts = queries.map((query) => ({ id: textAt(query, "id"), text: textAt(query, "query") ?? "" }));
  const named = [...assignIds(texts), ...texts.map(({ text }) => text)];
  const keys = [...checks.map((check) => check.key), ...blockCheckKeys, ...layers];
  return itemsAt(root, "waivers").flatMap((waiver) => [
    ...unknownName(nodeAt(waiver, ["query"]), "query", named),
    ...(textAt(waiver, "check")?.startsWith("checks.") === true
      ? []
      : unknownName(nodeAt(waiver, ["check"]), "check or layer", keys)),
  ]);
}

/** Reports unknown keys in `judge_config`. Only a warning, because AgentCI allows any key. */
function unknownJudgeSettings(root: DocumentNode): Problem[] {
  const settings = entryOf(root, "judge_config")?.node;
  if (settings?.kind !== "map") return [];
  const known = Object.keys(judgeSettingsSchema.shape);
  return [...settings.entries].flatMap(([key, { keyAt }]) => {
    if (known.includes(key)) return [];
    const message = `\`judge_config\` has no key \`${key}\`; the key is not read`;
    return [warningAt(keyAt, "spec/unknown-key", message, nearHint(key, known, null))];
  });
}

/** Reports an ensemble whose models are of one family or listed twice. Agreement of similar judges is not independent evidence. */
function likeMindedJudges(root: DocumentNode): Problem[] {
  const models = nodeAt(root, ["judge_config", "ensemble", "models"]);
  if (models?.kind !== "list") return [];
  const names = scalarsIn(models.items).map(([name]) => name);
  return panelAdvice(names).map((advice) =>
    warningAt(models.at, "spec/judges-alike", advice, "choose judges of different model families"),
  );
}

function unknownName(node: DocumentNode | undefined, what: string, known: readonly string[]): Problem[] {
  if (node?.kind !== "scalar" || known.includes(String(node.value))) return [];
  const near = suggest(String(node.value), known);
  const hint = near === undefined ? null : `did you mean ${JSON.stringify(near)}?`;
  return [problemAt(node.at, "spec/unknown-name", `there is no ${what} ${JSON.stringify(node.value)}`, hint)];
}

interface Repeat {
  readonly key: string;
  readonly node: DocumentNode;
  readonly first: DocumentNode;
}

function repeats(
  queries: readonly DocumentNode[],
  keyOf: (query: DocumentNode) => string | undefined,
): Repeat[] {
  const seen = new Map<string, DocumentNode>();
  const found: Repeat[] = [];
  for (const node of queries) {
    const key = keyOf(node);
    if (key === undefined) continue;
    const first = seen.get(key);
    if (first) found.push({ key, node, first });
    else seen.set(key, node);
  }
  return found;
}

function scalarsIn(items: readonly DocumentNode[]): [string, DocumentNode][] {
  return items.flatMap((item) => (item.kind === "scalar" ? [[String(item.value), item]] : []));
}
