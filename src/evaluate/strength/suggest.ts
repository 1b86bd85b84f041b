import type { JsonValue } from "../../model/json.ts";
import type { Layer } from "../../model/outcome.ts";
import type { AgentRun } from "../../model/run.ts";
import type { CompiledQuery } from "../query/compiled.ts";
import { assess } from "../assess/assess.ts";
import { kinds } from "../checks/correctness/grounding/reading.ts";
import { statedValues } from "../checks/correctness/grounding/values.ts";
import { checkOf } from "../checks/registry.ts";
import { returnedNames } from "./names.ts";
import { isTelling } from "./stop-words.ts";
import type { Mutant, Mutation } from "./mutant.ts";

/** A check that the good run passes and the mutant does not. */
export interface Suggestion {
  readonly layer: Layer;
  readonly check: string;
  readonly limit: JsonValue;
}

type Candidate = readonly [layer: Layer, check: string, limit: JsonValue];

/**
 * Returns the first candidate check for this kind of mutation that the unchanged run passes and the mutant does not; null if there is none.
 */
export function suggest(run: AgentRun, query: CompiledQuery, mutant: Mutant): Suggestion | null {
  for (const [layer, check, limit] of candidates[mutant.mutation](run, query)) {
    const suggestion = { layer, check, limit };
    if (holds(run, query, suggestion) && !holds(mutant.run, query, suggestion)) return suggestion;
  }
  return null;
}

/** Whether a run passes the suggested check alone. */
function holds(run: AgentRun, query: CompiledQuery, { layer, check: key, limit }: Suggestion): boolean {
  const check = checkOf(key);
  if (check === undefined) return false;
  const bound = { check, limit, source: query.source, itemSources: [], severity: undefined };
  const settings = { ...query.settings, [layer]: { [key]: limit } };
  const { layers } = assess(
    run,
    { ...query, checks: [bound], settings },
    { missing: "not-asked", version: null },
  );
  return layers[layer].checks.every(({ outcome }) => outcome === "pass");
}

const candidates: Readonly<Record<Mutation, (run: AgentRun, query: CompiledQuery) => readonly Candidate[]>> =
  {
    drop: (run) => [
      ["path", "expected_tools", distinct(toolsOf(run))],
      ["path", "expected_tool_sequence", toolsOf(run)],
    ],
    repeat: (run) => [
      ["path", "max_loops", 0],
      ["path", "max_tool_calls", toolsOf(run).length],
    ],
    swap: (run) => [["path", "expected_tool_sequence", toolsOf(run)]],
    forge: () => [
      ["correctness", "grounded", { in: "answer" }],
      ["correctness", "grounded", { in: "arguments" }],
    ],
    handoff: (run) => [["path", "expected_handoffs", run.handoffs.map(({ to }) => to)]],
    tokens: ({ totalTokens }) => [
      ["cost", "max_total_tokens", roomFor(totalTokens ?? 0)],
      ["cost", "max_total_tokens", (totalTokens ?? 0) * 2],
    ],
    answer: (run, query) => [
      ["correctness", "expected_in_answer", [...written(query), ...telling(run.answer ?? "")]],
      ["correctness", "grounded", { in: "answer" }],
    ],
    number: numbersOf,
    unit: numbersOf,
    name: (run, query) => [
      ["correctness", "expected_in_answer", distinct([...written(query), ...returnedNames(run)])],
    ],
    invention: (run) => [["correctness", "grounded", { in: "answer" }], ...knownValues(run)],
  };

function valuesOf({ answer }: AgentRun): string[] {
  return distinct(statedValues(answer ?? "", new Set(kinds)).map(({ text }) => text));
}

/** Suggests `grounded` with the answer's values as `known`, because values that no tool returned can come from the agent's instructions. */
function knownValues(run: AgentRun): readonly Candidate[] {
  const known = valuesOf(run);
  return known.length === 0 ? [] : [["correctness", "grounded", { in: "answer", known }]];
}

/**
 * Suggests `grounded` first, then `expected_in_answer` with all values of the answer, which is stricter: a right answer can omit a value.
 */
function numbersOf(run: AgentRun, query: CompiledQuery): readonly Candidate[] {
  const values = valuesOf(run);
  return [
    ["correctness", "grounded", { in: "answer" }],
    ["correctness", "expected_in_answer", distinct([...written(query), ...values])],
  ];
}

function toolsOf(run: AgentRun): string[] {
  return run.tools.flatMap(({ name, executed }) => (executed === false || name === null ? [] : [name]));
}

/** Returns a token budget: twice the used tokens, rounded up to hundreds. */
function roomFor(tokens: number): number {
  return Math.ceil((tokens * 2) / 100) * 100;
}

function written(query: CompiledQuery): readonly string[] {
  const terms = query.settings.correctness["expected_in_answer"];
  return Array.isArray(terms) ? (terms as readonly string[]) : [];
}

/** Returns the essential parts of an answer: two of its values, otherwise its two longest words that are not stop words. */
function telling(answer: string): readonly string[] {
  const values = [...new Set(statedValues(answer, new Set(kinds)).map(({ text }) => text))];
  if (values.length > 0) return values.slice(0, 2);
  const words = distinct(answer.split(/[^\p{L}\p{N}'_-]+/u).filter(isTelling)).sort(
    (a, b) => b.length - a.length || (a < b ? -1 : 1),
  );
  return words.slice(0, 2);
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}
