import { normaliseText } from "../../match/rules/normalise.ts";
import type { Check } from "../../evaluate/checks/check.ts";
import { panelAdvice } from "../../evaluate/judge/family.ts";
import { judgeSettingsSchema } from "../../evaluate/judge/settings.ts";
import { blockCheckKeys } from "../../evaluate/query/blocks.ts";
import { foldName } from "../../evaluate/rules/fold-name.ts";
import { canonicalJson } from "../../support/structures/canonical-json.ts";
import { type DocumentNode, entryOf, type MapEntry, type Place } from "../document/node.ts";
import { type Problem, problemAt, warningAt } from "../document/problems/problem.ts";
import { suggest } from "../document/problems/suggest.ts";
import { idleReliability, unmetNeeds } from "./no-effect.ts";
import { assignIds } from "./ids.ts";
import { namesIn } from "../table/fill-row.ts";
import { rubricScales } from "../reference/rubric-scales.ts";
import { unknownVariables } from "./unknown-variables.ts";
import { filesOutside } from "./files-outside.ts";
import { whereValue } from "./where-value.ts";
import { fieldTraps, modeTraps, slashTraps } from "./traps.ts";

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
  return repeats(queries, (query) => textOf(query, "id")).map(({ node, first, key }) => {
    const at = entryOf(node, "id")?.node.at ?? node.at;
    const message = `the id ${JSON.stringify(key)} is already used by the query on line ${first.at.line}`;
    return problemAt(at, "spec/duplicate-id", message, "give each query its own id");
  });
}

/**
 * Reports queries with equal text and equal `where`, which match the same runs. A duplicate of `"*"` is an error. Any other duplicate
 * is a warning; it is not reported if both queries have an `id`.
 */
function duplicateTexts(queries: readonly DocumentNode[]): Problem[] {
  const claim = (query: DocumentNode) => {
    const where = entryOf(entryOf(query, "match")?.node, "where")?.node;
    return `${textOf(query, "query") ?? ""}\0${where ? canonicalJson(whereValue(where)) : "{}"}`;
  };
  return repeats(queries, claim).flatMap(({ node, first }) => {
    const at = entryOf(node, "query")?.node.at ?? node.at;
    const line = `the query on line ${first.at.line}`;
    if (textOf(node, "query") === "*") {
      const message = `there are two wildcards with the same \`where\`; the first is ${line}`;
      return problemAt(at, "spec/two-wildcards", message, "keep one, or distinguish them with `match.where`");
    }
    if (textOf(node, "id") !== undefined && textOf(first, "id") !== undefined) return [];
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
  const claim = (query: DocumentNode): string | undefined => {
    const text = textOf(query, "query") ?? "";
    if (text.trim() === "") return undefined;
    const where = entryOf(entryOf(query, "match")?.node, "where")?.node;
    const about = [textOf(query, "scope") ?? "run", where ? canonicalJson(whereValue(where)) : "{}"];
    return [normaliseText(text), ...about].join("\0");
  };
  return repeats(queries, claim).flatMap(({ node, first }) => {
    if (textOf(node, "query") === textOf(first, "query")) return [];
    const at = entryOf(node, "query")?.node.at ?? node.at;
    const message = `this text differs from the query on line ${first.at.line} only in case, spacing, quotes or end punctuation, which matching ignores`;
    return problemAt(at, "spec/alike-queries", message, "keep one, or distinguish them with `match.where`");
  });
}

function conflictingTools(query: DocumentNode): Problem[] {
  const path = entryOf(query, "path")?.node;
  const forbidden = new Set(items(path, "forbidden_tools").map(([name]) => foldName(name)));
  return items(path, "expected_tools").flatMap(([name, node]) =>
    forbidden.has(foldName(name))
      ? [warningAt(node.at, "spec/conflict", `${name} is expected and forbidden in the same query`)]
      : [],
  );
}

function strayTurns(query: DocumentNode): Problem[] {
  const scope = entryOf(query, "scope");
  const turns = entryOf(query, "turns") ?? entryOf(query, "simulate");
  if (!turns || !scope || textOf(query, "scope") === "conversation") return [];
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
  const turns = entryOf(query, "turns")?.node;
  if (turns?.kind !== "list") return [];
  const captures = turns.items.map((turn) => {
    const node = entryOf(turn, "capture")?.node;
    return node?.kind === "map" ? [...node.entries.keys()] : [];
  });
  const all = captures.flat();
  if (all.length === 0) return [];
  return turns.items.flatMap((turn, at) => {
    const text = entryOf(turn, "query")?.node;
    const before = captures.slice(0, at).flat();
    const unknown = namesIn(textOf(turn, "query") ?? "").find((name) => !before.includes(name));
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
  const turns = entryOf(query, "turns")?.node;
  const texts =
    turns?.kind === "list" ? turns.items.map((turn) => textOf(turn, "query")) : [textOf(query, "query")];
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
  const messages = `${texts.length} message${texts.length === 1 ? "" : "s"}`;
  const message = `\`max_turns\` leaves no message for the simulated user: the query already contains ${messages}`;
  return [warningAt(most.at, "spec/no-effect", message, `write at least \`max_turns: ${texts.length + 1}\``)];
}

/** Reports a query with `todo`, because none of its runs passes. */
function unfinished(query: DocumentNode): Problem[] {
  const todo = entryOf(query, "todo");
  const text = textOf(query, "todo");
  if (!todo || text === undefined) return [];
  const message = "the query is not finished: until `todo` is removed, none of its runs passes";
  return [warningAt(todo.keyAt, "spec/todo", message, text)];
}

/**
 * Reports `min_coherence` in a query about single runs. An inherited `min_coherence` is valid if a query about a conversation also inherits
 * it.
 */
function strayCoherence(queries: readonly DocumentNode[]): Problem[] {
  const stray = new Map<DocumentNode, MapEntry>();
  const useful = new Set<DocumentNode>();
  for (const query of queries) {
    const entry = entryOf(entryOf(query, "path")?.node, "min_coherence");
    if (!entry) continue;
    if (entryOf(query, "turns") || entryOf(query, "simulate") || textOf(query, "scope") === "conversation")
      useful.add(entry.node);
    else stray.set(entry.node, entry);
  }
  const message = "`min_coherence` judges conversations, but this query judges single runs";
  return [...stray.values()].flatMap(({ node, keyAt }) =>
    useful.has(node)
      ? []
      : [warningAt(keyAt, "spec/no-effect", message, "write `scope: conversation`, or remove the key")],
  );
}

function unknownWaivers(
  root: DocumentNode,
  queries: readonly DocumentNode[],
  checks: readonly Check[],
): Problem[] {
  const waivers = entryOf(root, "waivers")?.node;
  if (waivers?.kind !== "list") return [];
  const texts = queries.map((query) => ({ id: textOf(query, "id"), text: textOf(query, "query") ?? "" }));
  const named = [...assignIds(texts), ...texts.map(({ text }) => text)];
  const keys = [...checks.map((check) => check.key), ...blockCheckKeys, "correctness", "path", "cost"];
  return waivers.items.flatMap((waiver) => [
    ...unknownName(entryOf(waiver, "query")?.node, "query", named),
    ...(textOf(waiver, "check")?.startsWith("checks.") === true
      ? []
      : unknownName(entryOf(waiver, "check")?.node, "check or layer", keys)),
  ]);
}

/** Reports unknown keys in `judge_config`. Only a warning, because AgentCI allows any key. */
function unknownJudgeSettings(root: DocumentNode): Problem[] {
  const settings = entryOf(root, "judge_config")?.node;
  if (settings?.kind !== "map") return [];
  const known = Object.keys(judgeSettingsSchema.shape);
  return [...settings.entries].flatMap(([key, { keyAt }]) => {
    if (known.includes(key)) return [];
    const near = suggest(key, known);
    const hint = near === undefined ? null : `did you mean \`${near}\`?`;
    return [
      warningAt(
        keyAt,
        "spec/unknown-key",
        `\`judge_config\` has no key \`${key}\`; the key is not read`,
        hint,
      ),
    ];
  });
}

/** Reports an ensemble whose models are of one family or listed twice. Agreement of similar judges is not independent evidence. */
function likeMindedJudges(root: DocumentNode): Problem[] {
  const models = entryOf(entryOf(entryOf(root, "judge_config")?.node, "ensemble")?.node, "models")?.node;
  if (models?.kind !== "list") return [];
  const names = models.items.flatMap((item) => (item.kind === "scalar" ? [String(item.value)] : []));
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

function items(layer: DocumentNode | undefined, key: string): [string, DocumentNode][] {
  const list = entryOf(layer, key)?.node;
  if (list?.kind !== "list") return [];
  return list.items.flatMap((item) => (item.kind === "scalar" ? [[String(item.value), item]] : []));
}

function textOf(node: DocumentNode, key: string): string | undefined {
  const found = entryOf(node, key)?.node;
  return found?.kind === "scalar" && typeof found.value === "string" ? found.value : undefined;
}
