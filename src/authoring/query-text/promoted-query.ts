import { checkOf } from "../../evaluate/checks/registry.ts";
import { RunQuantities } from "../../evaluate/quantities/run-quantities.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { AgentRun } from "../../model/run.ts";
import type { QueryEdit } from "./edit-query.ts";
import { overlaps } from "../agreement/agreed-path.ts";
import { limitFor, observe } from "../observed.ts";
import { wordList } from "../../support/structures/word-list.ts";

/** Expectations given by the options of `promote`. */
export interface GivenExpectations {
  readonly expectTools?: readonly string[];
  /** Tools that a correct run calls, in this order. */
  readonly expectSequence?: readonly string[];
  readonly forbid?: readonly string[];
  readonly answer?: readonly string[];
  readonly maxCalls?: number;
}

/** Text of `todo` in a promoted query that has no expectations. */
export const promotedTodo =
  "Write what a correct run does (expected_tools, forbidden_tools, max_tool_calls, expected_in_answer, …), then remove this key.";

/** Keys of a query that are not expectations: they select or describe runs. */
const head: ReadonlySet<string> = new Set(
  wordList("id query description tags match scope turns todo expected_fail"),
);

/** Returns the blocks of a query that contain expectations. */
export function expectingBlocks(written: JsonObject): JsonObject {
  const own = Object.entries(written).filter(([key, value]) => !head.has(key) && value !== null);
  return Object.fromEntries(own);
}

/** Whether the blocks of a query check anything. `severity` alone, or an empty layer, checks nothing. */
export function assertsAnything(blocks: JsonObject): boolean {
  return Object.entries(blocks).some(
    ([key, value]) =>
      key !== "severity" &&
      key !== "reliability" &&
      !(isObject(value) && Object.keys(value).every((inner) => inner === "severity")),
  );
}

/**
 * Returns expectations to add to a query, from a correct run and from options. Options take precedence over
 * the run.
 */
export function addedExpectations(
  written: JsonObject,
  like: AgentRun | undefined,
  given: GivenExpectations,
): readonly QueryEdit[] {
  const own = objectAt(written, "path");
  const hasOrder = given.expectSequence !== undefined || orderKeys.some((key) => Object.hasOwn(own, key));
  const ofLike = like === undefined ? {} : { ...pathOf(like, own), ...(hasOrder ? {} : orderOf(like)) };
  const path = { ...own, ...ofLike };
  const correctness = objectAt(written, "correctness");
  const edits = editsOf("path", ofLike);
  const add = (layer: "path" | "correctness", key: string, value: JsonValue | undefined): void => {
    if (value !== undefined) edits.push({ path: [layer, key], value });
  };
  add("path", "expected_tools", joined(path["expected_tools"], given.expectTools));
  add("path", "expected_tool_sequence", given.expectSequence);
  add("path", "forbidden_tools", joined(path["forbidden_tools"], given.forbid));
  add(
    "path",
    "max_tool_calls",
    given.maxCalls === undefined ? undefined : lower(path, "max_tool_calls", given.maxCalls),
  );
  add("correctness", "expected_in_answer", joined(correctness["expected_in_answer"], given.answer));
  return edits;
}

/** Keys about the order of tools. A query that already has one of these keys gets no order from the run. */
const orderKeys = ["expected_tool_sequence", "accepted_tool_sequences", "sequence_mode"];

/** Returns the tool order of a correct run. Empty for fewer than two tools, and for parallel calls. */
function orderOf(run: AgentRun): JsonObject {
  const names = new RunQuantities(run).knownNames ?? [];
  const order = names.filter((name, at) => name !== names[at - 1]);
  if (order.length < 2 || overlaps(run.tools)) return {};
  return { expected_tool_sequence: order, sequence_mode: "contains-in-order" };
}

/**
 * Returns tools, hand-offs, calls and loops of a correct run as expectations. Existing limits are not raised.
 */
function pathOf(run: AgentRun, written: JsonObject): JsonObject {
  const { toolsOfAll, handoffsOfAll, most, mostLoops } = observe([run]);
  const calls = limitFor("max_tool_calls", most.max_tool_calls, 1);
  return {
    ...(toolsOfAll.length > 0 ? { expected_tools: toolsOfAll } : {}),
    ...(calls === null ? {} : { max_tool_calls: lower(written, "max_tool_calls", calls) }),
    ...(mostLoops === null ? {} : { max_loops: lower(written, "max_loops", mostLoops) }),
    ...(handoffsOfAll.length > 0 ? { expected_handoffs: handoffsOfAll } : {}),
  };
}

/**
 * Returns the query to write: the expectations of the matched query, overridden by `edits`. The query's
 * severity is set so that a failed path check fails the run.
 */
export function promotedQuery(
  { id, text }: { readonly id: string; readonly text: string },
  matched: JsonObject,
  edits: readonly QueryEdit[],
): JsonObject {
  const { severity, ...blocks } = expectingBlocks(matched);
  const correctness = { ...objectAt(blocks, "correctness"), ...editedIn("correctness", edits) };
  const path = { ...objectAt(blocks, "path"), ...editedIn("path", edits) };
  const hasPath = Object.keys(path).length > 0 || "retrieval" in blocks || "spans" in blocks;
  const where = objectAt(matched, "match")["where"];
  const softened = isObject(severity) ? withoutPath(severity) : {};
  const { correctness: _, path: __, ...others } = blocks;
  return {
    id,
    query: text,
    tags: ["promoted"],
    ...(where === undefined ? {} : { match: { where } }),
    ...(Object.keys(softened).length === 0 ? {} : { severity: softened }),
    ...(Object.keys(correctness).length === 0 ? {} : { correctness }),
    ...(hasPath ? { path: { ...path, severity: "fail" } } : {}),
    ...others,
  };
}

/** Returns a severity block without the entries about the path. */
function withoutPath(severity: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(severity).filter(([key]) => {
      const layer = checkOf(key)?.layer ?? key;
      return layer === "correctness" || layer === "cost";
    }),
  );
}

function editsOf(layer: string, block: JsonObject): QueryEdit[] {
  return Object.entries(block).map(([key, value]) => ({ path: [layer, key], value }));
}

function editedIn(layer: string, edits: readonly QueryEdit[]): JsonObject {
  return Object.fromEntries(
    edits.flatMap(({ path: [first, key], value }) =>
      first === layer && key !== undefined && value !== undefined ? [[key, value] as const] : [],
    ),
  );
}

function lower(written: JsonObject, key: string, limit: number): number {
  const known = written[key];
  return typeof known === "number" ? Math.min(known, limit) : limit;
}

/** Returns the existing and the given values, each once; undefined if no values are given. */
function joined(
  written: JsonValue | undefined,
  given: readonly string[] | undefined,
): readonly JsonValue[] | undefined {
  if (given === undefined || given.length === 0) return undefined;
  const known = isArray(written) ? written : [];
  return [...new Set([...known, ...given])];
}

function objectAt(value: JsonObject, key: string): JsonObject {
  const found = value[key];
  return isObject(found) ? found : {};
}
