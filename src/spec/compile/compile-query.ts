import {
  type RetrievalBlock as Retrieval,
  retrievalChecksOf,
} from "../../evaluate/checks/blocks/retrieval-checks.ts";
import { minScoreCheck } from "../../evaluate/checks/blocks/score-check.ts";
import { judgedSpanAssertion, spanAssertion } from "../../evaluate/checks/blocks/span-assertions.ts";
import { todoCheck } from "../../evaluate/checks/blocks/todo-check.ts";
import { boundUserCheck } from "../../evaluate/checks/blocks/user-checks.ts";
import type { Check } from "../../evaluate/checks/check.ts";
import type { Preset } from "../../evaluate/metrics/match-mode.ts";
import { type UserCheck, userCheckOf, type UserCheckText } from "../../evaluate/checks/user/user-check.ts";
import { isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { byLayer, type Layer } from "../../model/outcome.ts";
import type { SourcePosition } from "../../model/verdict.ts";
import type {
  Consequence,
  Reliability,
  Resilience,
  RetrievalBlock,
  Scoring,
  Simulate,
  SpanAssertion,
} from "../../evaluate/query/blocks.ts";
import type {
  BoundCheck,
  CompiledQuery,
  CompiledTurn,
  Expectations,
  MatchRules,
} from "../../evaluate/query/compiled.ts";
import {
  type DocumentNode,
  entryOf,
  itemsAt,
  type MapEntry,
  nodeAt,
  type Place,
  scalarNode,
  toValue,
} from "../document/node.ts";
import { whereValue } from "./where-value.ts";

/** Tools by category. */
export type ToolCategories = Readonly<Record<string, readonly string[]>>;

export interface QueryContext {
  readonly checks: readonly Check[];
  readonly preset: Preset | undefined;
  /** Position of the key `preset`. Checks that the preset adds have this position as their source. */
  readonly presetAt: Place | undefined;
  /** Tool categories of the configuration, added to those of the query. */
  readonly toolCategories: ToolCategories;
  /** Whether the query at this position comes from a row of a table. */
  readonly isRow: (place: Place) => boolean;
}

/**
 * Compiles a validated query that is merged with the defaults.
 * @param written the query as in the file, without defaults
 */
export function compileQuery(
  node: DocumentNode,
  id: string,
  written: JsonObject,
  context: QueryContext,
): CompiledQuery {
  const value = asObject(toValue(node));
  const turns = nodeAt(node, ["turns"]);
  const simulate = value["simulate"] as Simulate | undefined;
  const expectedFail = entryOf(node, "expected_fail");
  const expected = expectations(node, node, context);
  return {
    id,
    text: value["query"] as string,
    description: value["description"] as string | undefined,
    tags: (value["tags"] as readonly string[] | undefined) ?? [],
    match: matchRules(node, asObject(value["match"])),
    scope: value["scope"] === "conversation" || turns || simulate ? "conversation" : "run",
    turns: itemsAt(node, "turns").map((turn) => compileTurn(turn, node, context)),
    ...(simulate === undefined ? {} : { simulate }),
    reliability: value["reliability"] as Reliability | undefined,
    resilience: value["resilience"] as Resilience | undefined,
    scoring: value["scoring"] as Scoring | undefined,
    retrieval: value["retrieval"] as RetrievalBlock | undefined,
    spans: (value["spans"] as readonly SpanAssertion[] | undefined) ?? [],
    expectedFail: value["expected_fail"] === true ? position(expectedFail?.keyAt ?? node.at) : undefined,
    written,
    ...(context.isRow(node.at) ? { row: { file: node.at.file, line: node.at.line } } : {}),
    ...(context.preset === undefined ? {} : { preset: context.preset }),
    ...expected,
    checks: [...unwrittenChecks(node, expected, context), ...expected.checks, ...blockChecks(node, value)],
  };
}

/**
 * Returns the checks with a default limit (`unwritten`), such as `run_status: ok`, whose key the query does not contain. The source of the
 * added checks is the position of the query.
 */
function unwrittenChecks(
  node: DocumentNode,
  { checks, source }: Expectations,
  context: QueryContext,
): BoundCheck[] {
  const severity = severityIn(node);
  return context.checks
    .filter((check) => check.unwritten !== undefined && !checks.some((bound) => bound.check === check))
    .map((check) => boundCheck(check, check.unwritten, source, severity));
}

function boundCheck(
  check: Check,
  limit: unknown,
  source: SourcePosition,
  severity: (check: Check) => BoundCheck["severity"],
  items: readonly DocumentNode[] = [],
): BoundCheck {
  const itemSources = items.map(({ at }) => position(at));
  return { check, limit, source, itemSources, severity: severity(check) };
}

/** Returns the checks of the blocks `todo`, `scoring`, `spans`, `checks` and `retrieval`, which are outside the layers. */
function blockChecks(node: DocumentNode, value: JsonObject): BoundCheck[] {
  const severity = severityIn(node);
  const bound = (check: Check, limit: unknown, place: Place): BoundCheck =>
    boundCheck(check, limit, position(place), severity);
  const retrieval = entryOf(node, "retrieval");
  const block = asObject(value["retrieval"]) as Retrieval;
  const scoring = entryOf(node, "scoring");
  const minScore = scoring && entryOf(scoring.node, "min_score");
  const todo = entryOf(node, "todo");
  return [
    ...(todo === undefined ? [] : [bound(todoCheck, toValue(todo.node), todo.keyAt)]),
    ...(minScore === undefined
      ? []
      : [bound(minScoreCheck(asObject(value["scoring"])), toValue(minScore.node), minScore.keyAt)]),
    ...itemsAt(node, "spans").flatMap((item) => [
      bound(spanAssertion, toValue(item), item.at),
      ...(entryOf(item, "judge") ? [bound(judgedSpanAssertion, toValue(item), item.at)] : []),
    ]),
    ...userChecks(node).map(([user, place]) => bound(boundUserCheck(user), shownCheck(user), place)),
    ...(retrieval === undefined
      ? []
      : retrievalChecksOf(block).map(([key, check]) =>
          bound(
            check,
            asObject(value["retrieval"])[key],
            entryOf(retrieval.node, key)?.keyAt ?? retrieval.keyAt,
          ),
        )),
  ];
}

/** Returns the user checks with their positions. A repeated name gets a number: `name_2`. */
function userChecks(node: DocumentNode): readonly (readonly [UserCheck, Place])[] {
  const entry = entryOf(node, "checks");
  if (entry === undefined) return [];
  const items = entry.node.kind === "list" ? entry.node.items : [entry.node];
  const uses = new Map<string, number>();
  return items.map((item) => {
    const user = userCheckOf(toValue(item) as UserCheckText);
    const use = (uses.get(user.name) ?? 0) + 1;
    uses.set(user.name, use);
    return [use === 1 ? user : { ...user, name: `${user.name}_${use}` }, item.at] as const;
  });
}

function shownCheck({ runs }: UserCheck): string {
  return "command" in runs ? runs.command : `${runs.module}#${runs.exported}`;
}

function compileTurn(node: DocumentNode, query: DocumentNode, context: QueryContext): CompiledTurn {
  const value = asObject(toValue(node));
  const capture = new Map(Object.entries(asObject(value["capture"]) as Readonly<Record<string, string>>));
  return {
    text: value["query"] as string,
    ...(capture.size === 0 ? {} : { capture }),
    ...expectations(node, query, context),
  };
}

function matchRules(query: DocumentNode, match: JsonObject): MatchRules {
  const where = nodeAt(query, ["match", "where"]);
  return {
    pattern: match["pattern"] as string | undefined,
    similarity: match["similarity"] as number | undefined,
    where: new Map(Object.entries(where === undefined ? {} : asObject(whereValue(where)))),
  };
}

/**
 * Returns the settings and checks of a query or turn.
 * @param query contains `severity` of the query, merged with that of the spec
 */
function expectations(node: DocumentNode, query: DocumentNode, context: QueryContext): Expectations {
  const blocks = byLayer((layer) => layerEntries(node, layer, context));
  const severity = severityIn(node, query);
  return {
    checks: context.checks.flatMap((check) => {
      const entry = blocks[check.layer].get(check.key);
      if (!entry || check.qualifier === true) return [];
      const items = itemsAt(entry.node);
      return [boundCheck(check, toValue(entry.node), position(entry.keyAt), severity, items)];
    }),
    settings: withCategories(
      byLayer((layer) => settingsOf(blocks[layer])),
      context.toolCategories,
    ),
    source: position(node.at),
  };
}

/** Returns the keys of a layer, including those that the preset adds. The preset adds nothing to a layer that the query lacks. */
function layerEntries(
  node: DocumentNode,
  layer: Layer,
  context: QueryContext,
): ReadonlyMap<string, MapEntry> {
  const written = nodeAt(node, [layer]);
  if (written?.kind !== "map") return new Map();
  if (layer !== "path" || context.preset !== "agentci") return written.entries;
  const at = context.presetAt ?? written.at;
  return new Map([...agentciPath(at), ...written.entries]);
}

/** Returns the keys that the preset `agentci` adds to `path`. */
function agentciPath(at: Place): [string, MapEntry][] {
  return [
    ["max_loops", { keyAt: at, node: scalarNode(at, 3) }],
    ["match_mode", { keyAt: at, node: scalarNode(at, "subset") }],
  ];
}

function settingsOf(entries: ReadonlyMap<string, MapEntry>): Readonly<Record<string, unknown>> {
  const settings = Object.create(null) as Record<string, unknown>;
  for (const [key, entry] of entries) if (key !== "severity") settings[key] = toValue(entry.node);
  return settings;
}

/** Adds the configuration's tool categories to the query's, if the query uses categories. */
function withCategories(settings: Expectations["settings"], added: ToolCategories): Expectations["settings"] {
  const names = Object.keys(added);
  if (names.length === 0 || settings.path["expected_tool_categories"] === undefined) return settings;
  const categories = { ...(settings.path["tool_categories"] as ToolCategories | undefined) };
  for (const name of names) {
    const own = Object.hasOwn(categories, name) ? (categories[name] ?? []) : [];
    categories[name] = [...(added[name] ?? []), ...own];
  }
  return { ...settings, path: { ...settings.path, tool_categories: categories } };
}

function position({ file, line, column }: Place): SourcePosition {
  return { file, line, column };
}

function valueAt(node: DocumentNode, ...path: readonly string[]): JsonValue | undefined {
  const found = nodeAt(node, path);
  return found && toValue(found);
}

function asObject(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/**
 * Returns a function that gives a check's severity from the spec; undefined for the check's default. A setting for the check takes
 * precedence over a setting for its layer, and `severity` in the layer over `severity` of the query.
 */
function severityIn(node: DocumentNode, query = node): (check: Check) => Consequence | undefined {
  const inLayer = byLayer((layer) => valueAt(node, layer, "severity"));
  const ofQuery = asObject(valueAt(query, "severity"));
  return ({ layer, key }) =>
    consequence(inLayer[layer], key) ??
    consequence(ofQuery, key) ??
    consequence(ofQuery[layer], key) ??
    asConsequence(inLayer[layer]) ??
    asConsequence(ofQuery[layer]);
}

function consequence(rules: JsonValue | undefined, key: string): Consequence | undefined {
  return isObject(rules) ? asConsequence(rules[key]) : undefined;
}

function asConsequence(value: JsonValue | undefined): Consequence | undefined {
  return value === "fail" || value === "warn" ? value : undefined;
}
