import { assess } from "../../evaluate/assess/assess.ts";
import { checks } from "../../evaluate/checks/registry.ts";
import type { CompiledQuery } from "../../evaluate/query/compiled.ts";
import { namedId } from "../../match/matcher.ts";
import { isObject, type JsonObject } from "../../model/json.ts";
import { layers } from "../../model/outcome.ts";
import type { AgentRun } from "../../model/run.ts";
import { assignIds } from "../../spec/compile/ids.ts";
import { loadSpec } from "../../spec/load.ts";
import { budgetKeys, goodRuns, limitFor, marginText, observe } from "../observed.ts";
import { type ProposedQuery, specText } from "../query-text/spec-text.ts";
import type { AgentQuestions, Question } from "../questions.ts";
import { agreedPath, toolsNeverUsed } from "./agreed-path.ts";
import { constantArguments } from "./constant-arguments.ts";
import { commonFacts } from "./facts.ts";

const SEVERITY_REMARK =
  "If a query has several good runs, a run that does not do what all of these runs did fails; an exceeded budget only warns. To let tools, order and arguments only warn, write `path: warn`.";

/** Severities of a query with several good runs: path checks that limit a number warn, the other path checks fail. */
const severity: JsonObject = { path: "fail", max_tool_calls: "warn", max_loops: "warn" };

/** Severities of a query with a single good run: all checks warn, except the check of the run's status. */
const seenOnce: JsonObject = { path: "warn", expected_in_answer: "warn", grounded: "warn" };

/**
 * Returns a spec that describes what the good runs of each query have in common. Every good run passes every
 * check of the spec.
 */
export function proposeSpec({ agent, questions }: AgentQuestions): string {
  const recorded = questions.reduce((sum, { runs }) => sum + runs.length, 0);
  const remarks = [
    SEVERITY_REMARK,
    `Proposed from ${recorded === 1 ? "1 recorded run" : `${recorded} recorded runs`}: review every line.`,
  ];
  const queries = proposedQueries(questions, []);
  return specText(agent, queries, remarks, severityFor(queries));
}

/**
 * Returns queries to add to an existing spec. The ids of the queries are not yet in the spec. The queries
 * contain the severities that the spec does not set.
 */
export function proposeMoreQueries(
  questions: readonly Question[],
  present: readonly Pick<CompiledQuery, "id" | "text">[],
  severityOfSpec: JsonObject,
): readonly ProposedQuery[] {
  return proposedQueries(questions, present).map((proposed) => {
    const { severity: own, ...others } = proposed.query;
    const wanted = { ...severityFor([proposed]), ...(isObject(own) ? own : {}) };
    const differing = Object.entries(wanted).filter(([key, value]) => severityOfSpec[key] !== value);
    const keys = Object.entries(others);
    // `severity` is placed below the id and the text, as in a new spec.
    if (differing.length > 0) keys.splice(2, 0, ["severity", Object.fromEntries(differing)]);
    return { query: Object.fromEntries(keys), remarks: proposed.remarks };
  });
}

/** Returns a query for each question, without checks that one of its good runs fails. */
function proposedQueries(
  questions: readonly Question[],
  present: readonly Pick<CompiledQuery, "id" | "text">[],
): readonly ProposedQuery[] {
  const existingIds = new Set(present.map(({ id }) => id));
  const own = withRecordedIds(questions).map(({ id, text }) => ({
    id: id !== undefined && existingIds.has(id) ? undefined : id,
    text,
  }));
  const ids = assignIds([...present, ...own]).slice(present.length);
  const queries = questions.map((question, at) => proposeQuery(question, ids[at] ?? `query-${at + 1}`));
  const compiled = compiledQueries(specText("*", queries, [""], severityFor(queries)));
  return queries.map((proposed, at) => {
    const query = compiled[at];
    const runs = goodRuns(questions[at]?.runs ?? []);
    return query === undefined ? proposed : withoutKeys(proposed, unprovenKeys(query, runs));
  });
}

/** Returns the severities of `path`, and of those path checks that at least one query contains. */
function severityFor(queries: readonly ProposedQuery[]): JsonObject {
  const written = new Set(
    queries.flatMap(({ query: { path } }) => (isObject(path) ? ["path", ...Object.keys(path)] : [])),
  );
  return Object.fromEntries(Object.entries(severity).filter(([key]) => key === "path" || written.has(key)));
}

/**
 * Returns the text of each question, and the query id that its runs name. The id is undefined if the runs
 * name none or several, if it has an unusual form, or if another question has the same id.
 */
function withRecordedIds(
  questions: readonly Question[],
): readonly { id: string | undefined; text: string }[] {
  const named = questions.map(({ text, runs }) => {
    const ids = new Set(runs.map((run) => namedId(run)));
    const [id] = ids;
    return { id: ids.size === 1 && id !== undefined && RECORDED_ID.test(id) ? id : undefined, text };
  });
  const uses = named.map(({ id }) => id);
  return named.map(({ id, text }) => ({
    id: uses.filter((one) => one === id).length === 1 ? id : undefined,
    text,
  }));
}

/** Matches an id that is valid as a file name: letters, digits, `_`, `.` and `-`. */
const RECORDED_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$/;

function compiledQueries(text: string): readonly CompiledQuery[] {
  const loaded = loadSpec({ file: "spec.yaml", text }, { checks });
  return loaded.ok ? loaded.spec.queries : [];
}

/** Returns the keys of the checks that one of the runs does not pass. */
function unprovenKeys(query: CompiledQuery, runs: readonly AgentRun[]): ReadonlySet<string> {
  const keys = runs.flatMap((run) => {
    const assessed = assess(run, query, { missing: "not-asked", version: null });
    return layers.flatMap((layer) => assessed.layers[layer].checks);
  });
  return new Set(keys.flatMap(({ check, outcome }) => (outcome === "pass" ? [] : [check])));
}

function withoutKeys({ query, remarks }: ProposedQuery, keys: ReadonlySet<string>): ProposedQuery {
  const kept = Object.entries(query).flatMap(([name, value]) => {
    if (keys.has(name)) return [];
    if (!isLayer(name) || typeof value !== "object" || value === null) return [[name, value] as const];
    const inner = Object.entries(value).filter(
      ([key]) => !keys.has(key) && !(key === "sequence_mode" && keys.has("expected_tool_sequence")),
    );
    return inner.length === 0 ? [] : [[name, Object.fromEntries(inner)] as const];
  });
  return { query: Object.fromEntries(kept), remarks };
}

function isLayer(name: string): boolean {
  return (layers as readonly string[]).includes(name);
}

function proposeQuery({ text, runs }: Question, id: string): ProposedQuery {
  const good = goodRuns(runs);
  if (good.length === 0) {
    const remark = "This query has no good run: write what a good run does (docs/spec.md), or record one.";
    return { query: { id, query: text }, remarks: [remark] };
  }
  const { facts, words } = commonFacts(good);
  const correctness: JsonObject = {
    ...(facts.length > 0 ? { expected_in_answer: facts } : {}),
    ...(words.length > 1 || (words.length === 1 && facts.length === 0)
      ? { any_expected_in_answer: words }
      : {}),
    ...agreedGrounding(good, facts),
  };
  const { most, runs: seen } = observe(good);
  const limits = budgetKeys.flatMap((key) => {
    const limit = limitFor(key, most[key], seen);
    return limit === null || limit === 0 ? [] : [[key, limit] as const];
  });
  const agreed = agreedPath(good);
  const path: JsonObject = {
    ...agreed,
    // If all runs called the same tools, the checks of the tools already exclude further calls, so `max_tool_calls` is left out.
    ...("expected_tool_sequence" in agreed
      ? {}
      : Object.fromEntries(limits.filter(([key]) => key === "max_tool_calls"))),
  };
  const cost = Object.fromEntries(limits.filter(([key]) => key !== "max_tool_calls"));
  const spans = constantArguments(good);
  const blocks = { correctness, path, cost };
  const asserted = Object.entries(blocks).filter(([, block]) => Object.keys(block).length > 0);
  return {
    query: {
      id,
      query: text,
      ...(seen === 1 ? { severity: seenOnce } : {}),
      ...Object.fromEntries(asserted),
      ...(spans.length > 0 ? { spans } : {}),
    },
    remarks: remarksOn(good, runs.length, limits.length > 0),
  };
}

/**
 * Returns the check `grounded` if all good runs pass it. If they pass only with `known`, the list `known` has all numbers that the answers
 * share: the agent computes some of these numbers, or its instructions contain them.
 */
function agreedGrounding(good: readonly AgentRun[], facts: readonly string[]): JsonObject {
  const numbers = good.length > 1 ? facts.filter((fact) => /\d/.test(fact)) : [];
  const hasEvidence = good.some(({ tools, retrievals }) => tools.length + retrievals.length > 0);
  const rules: readonly JsonObject[] = [
    ...(hasEvidence ? [{ in: "answer" }] : []),
    ...(numbers.length > 0 ? [{ in: "answer", known: numbers }] : []),
  ];
  const grounded = rules.find((rule) => isProven({ correctness: { grounded: rule } }, good));
  return grounded === undefined ? {} : { grounded };
}

/** Whether all runs pass a query that consists of these blocks. */
function isProven(blocks: JsonObject, runs: readonly AgentRun[]): boolean {
  const query = { query: { query: "*", ...blocks }, remarks: [] };
  const [compiled] = compiledQueries(specText("*", [query], [""]));
  return compiled !== undefined && unprovenKeys(compiled, runs).size === 0;
}

function remarksOn(good: readonly AgentRun[], runs: number, hasBudgets: boolean): readonly string[] {
  const seen = runs === 1 ? "Seen once" : `Seen ${runs} times`;
  const bad = runs === good.length ? "" : `, ${good.length} of them good`;
  const once =
    good.length === 1
      ? "; one run cannot show what runs have in common, so the query's checks only warn (except `run_status`) until init reads several runs"
      : "";
  const unused = toolsNeverUsed(good);
  return [
    `${seen}${bad}${once}.`,
    ...(hasBudgets ? [marginText(good.length)] : []),
    ...(unused.length > 0
      ? [
          `These tools are available but were never used; add to path if needed: forbidden_tools: [${unused.join(", ")}]`,
        ]
      : []),
  ];
}
