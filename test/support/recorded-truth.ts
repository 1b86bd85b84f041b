import type { AgentRun } from "../../src/model/run.ts";
import { isArray, isObject, parseJson, type JsonValue } from "../../src/model/json.ts";

/** The true facts of a run, from `expected.json` of a recording. Other keys of the file are notes for people. */
export interface TrueRun {
  readonly query: string;
  readonly answer: string | null;
  readonly agent: string;
  readonly final_agent: string;
  readonly status: "ok" | "error" | "killed";
  readonly tools: readonly TrueTool[];
  readonly handoffs: readonly { readonly from: string; readonly to: string }[];
  readonly llm_calls: number;
  /** The model calls, with the agent of each; recorded by some producers. */
  readonly llm?: readonly { readonly agent: string }[];
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly cached_tokens: number;
  readonly reasoning_tokens: number;
  readonly models: readonly string[];
  readonly response_models: readonly string[];
}

export interface TrueTool {
  readonly name: string;
  /** The tool's name in the telemetry if the framework changes it, for example `mcp__store__get_stock`. */
  readonly name_in_data?: string;
  readonly arguments: JsonValue;
  readonly result?: JsonValue;
  readonly error?: string;
  readonly executed?: boolean;
  readonly agent: string;
  /** Calls with the same group were requested in one model call; their order does not matter. */
  readonly parallel_group?: number;
}

/** A field in which an assembled run differs from the truth, with both values. */
export interface Difference {
  readonly field: string;
  readonly truth: unknown;
  readonly assembled: unknown;
}

/** The fields of an assembled run that are compared. */
export interface AssembledRun extends Pick<
  AgentRun,
  | "query"
  | "answer"
  | "agent"
  | "finalAgent"
  | "status"
  | "complete"
  | "llmCalls"
  | "totalTokens"
  | "models"
  | "responseModels"
> {
  readonly usage: Pick<AgentRun["usage"], "input" | "output" | "cached" | "reasoning">;
  readonly handoffs: readonly Pick<AgentRun["handoffs"][number], "from" | "to">[];
  readonly tools: readonly AssembledTool[];
}
type AssembledTool = Pick<
  AgentRun["tools"][number],
  "name" | "arguments" | "result" | "error" | "agent" | "executed"
>;

/** Names of the fields that `differencesOfRuns` compares. */
export const scoredFields = [
  "runs",
  "query",
  "answer",
  "agent",
  "final_agent",
  "status",
  "llm_calls",
  "input_tokens",
  "output_tokens",
  "total_tokens",
  "cached_tokens",
  "reasoning_tokens",
  "models",
  "response_models",
  "handoffs",
  "tools",
  "tool_arguments",
  "tool_results",
  "tool_errors",
  "tool_agents",
] as const;

/** The true runs in a recording's `expected.json`. */
export function trueRunsOf(expected: string): readonly TrueRun[] {
  const parsedFile = JSON.parse(expected) as TrueRun | { readonly runs: readonly TrueRun[] };
  return "runs" in parsedFile ? parsedFile.runs : [parsedFile];
}

/** All fields in which the runs of a recording, sorted by start, differ from the truth; `runs` if their number differs. */
export function differencesOfRuns(truths: readonly TrueRun[], runs: readonly AssembledRun[]): Difference[] {
  const wrong = pairedRuns(truths, runs).flatMap((run, at) => {
    const truth = truths[at];
    return run === undefined || truth === undefined ? [] : differences(truth, run);
  });
  if (runs.length !== truths.length)
    wrong.push({ field: "runs", truth: truths.length, assembled: runs.length });
  return wrong;
}

/** The assembled runs in the order of the true ones: by query, and without an equal query by time. */
export function pairedRuns<Run extends Pick<AssembledRun, "query">>(
  truths: readonly TrueRun[],
  runs: readonly Run[],
): (Run | undefined)[] {
  const left = [...runs];
  const byQuery = truths.map(({ query }) => {
    const at = left.findIndex((run) => run.query === query);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  });
  return byQuery.map((run) => run ?? left.shift());
}

/** All fields in which an assembled run differs from the truth. */
function differences(truth: TrueRun, run: AssembledRun): Difference[] {
  const rows: [field: string, truth: unknown, assembled: unknown, same: boolean][] = [];
  const text = (field: string, expected: string | null, actual: JsonValue) =>
    rows.push([field, expected, actual, sameText(expected, actual)]);
  const name = (field: string, expected: string, actual: string | null) =>
    rows.push([field, expected, actual, nameKey(expected) === nameKey(actual)]);
  const count = (field: string, expected: number, actual: number | null, zeroMayBeNull = false) =>
    rows.push([
      field,
      expected,
      actual,
      actual === expected || (zeroMayBeNull && expected === 0 && actual === null),
    ]);
  const set = (field: string, expected: readonly string[], actual: readonly string[]) =>
    rows.push([field, expected, actual, modelsKey(expected) === modelsKey(actual)]);

  text("query", truth.query, run.query);
  text("answer", truth.answer, run.answer);
  name("agent", truth.agent, run.agent);
  name("final_agent", truth.final_agent, run.finalAgent);
  rows.push(["status", truth.status, run.status, sameStatus(truth, run)]);
  count("llm_calls", truth.llm_calls, run.llmCalls);
  count("input_tokens", truth.input_tokens, run.usage.input);
  count("output_tokens", truth.output_tokens, run.usage.output);
  count("total_tokens", truth.total_tokens, run.totalTokens);
  count("cached_tokens", truth.cached_tokens, run.usage.cached, true);
  count("reasoning_tokens", truth.reasoning_tokens, run.usage.reasoning, true);
  set("models", truth.models, run.models);
  set("response_models", truth.response_models, run.responseModels);
  const handoffs = (list: readonly { readonly from: string | null; readonly to: string | null }[]) =>
    list.map(({ from, to }) => `${nameKey(from)} > ${nameKey(to)}`).join(", ");
  rows.push(["handoffs", truth.handoffs, run.handoffs, handoffs(truth.handoffs) === handoffs(run.handoffs)]);
  rows.push(...toolRows(truth, run));
  return rows
    .filter(([, , , same]) => !same)
    .map(([field, expected, assembled]) => ({ field, truth: expected, assembled }));
}

function toolRows(truth: TrueRun, run: AssembledRun): [string, unknown, unknown, boolean][] {
  const expected = truth.tools.filter(
    ({ executed, result, error }) => executed !== false && (result ?? error) !== undefined,
  );
  const calls = run.tools.filter(({ executed }) => executed);
  const actual = inOrderOf(expected, truth.status === "killed" ? calls.slice(0, expected.length) : calls);
  const names = expected.length === calls.length || truth.status === "killed";
  const every = (test: (tool: TrueTool, call: AssembledTool) => boolean) =>
    actual.length === expected.length &&
    expected.every((tool, at) => actual[at] !== undefined && test(tool, actual[at]));
  return [
    ["tools", expected.map((tool) => tool.name), calls.map((call) => call.name), names && every(isNamed)],
    [
      "tool_arguments",
      expected.map((tool) => tool.arguments),
      actual.map((call) => call.arguments),
      every((tool, call) => sameJson(tool.arguments, parsed(call.arguments ?? {}))),
    ],
    [
      "tool_results",
      expected.map((tool) => tool.result ?? null),
      actual.map((call) => call.result),
      every((tool, call) => tool.result === undefined || sameText(tool.result, call.result)),
    ],
    [
      "tool_errors",
      expected.map((tool) => tool.error ?? null),
      actual.map((call) => call.error),
      every((tool, call) => (tool.error !== undefined) === (call.error !== null)),
    ],
    [
      "tool_agents",
      expected.map((tool) => tool.agent),
      actual.map((call) => call.agent),
      every((tool, call) => nameKey(tool.agent) === nameKey(call.agent)),
    ],
  ];
}

/** The calls in the order of the truth; calls in a parallel group may be in any order. */
function inOrderOf(expected: readonly TrueTool[], calls: readonly AssembledTool[]) {
  const left = [...calls];
  return expected.flatMap((tool) => {
    const group = tool.parallel_group;
    const size = group === undefined ? 1 : expected.filter((other) => other.parallel_group === group).length;
    const window = left.slice(0, size);
    const named = window.filter((call) => isNamed(tool, call));
    const found =
      named.find((call) => sameJson(tool.arguments, parsed(call.arguments ?? {}))) ?? named[0] ?? window[0];
    if (found === undefined) return [];
    left.splice(left.indexOf(found), 1);
    return [found];
  });
}

const isNamed = (tool: TrueTool, call: AssembledTool) =>
  call.name === tool.name || call.name === tool.name_in_data;

/** A killed process has no true status. Its run must be incomplete, or have no status. */
const sameStatus = (truth: TrueRun, run: AssembledRun) =>
  truth.status === "killed" ? !run.complete || run.status === null : truth.status === run.status;

const nameKey = (name: string | null) => name?.toLowerCase().replace(/[-_. ]/g, "") ?? null;

const modelsKey = (models: readonly string[]) =>
  [...new Set(models.map((model) => model.toLowerCase().replace(/^.*\//, "")))].sort().join(" ");

const squeezed = (text: string) => text.replace(/\s+/g, " ").trim();

function sameText(truth: JsonValue, actual: JsonValue | undefined): boolean {
  if (truth === null || actual === null || actual === undefined) return truth === (actual ?? null);
  if (typeof truth === "string" && typeof actual === "string" && squeezed(truth) === squeezed(actual))
    return true;
  return sameJson(unwrapped(truth), unwrapped(actual));
}

const parsed = (value: JsonValue): JsonValue =>
  typeof value === "string" && /^\s*[[{"]/.test(value) ? (parseJson(value) ?? value) : value;

/** The value without a wrapper that adds no information, such as `[{"type":"text","text":…}]` or `{"result":…}`. */
function unwrapped(value: JsonValue): JsonValue {
  const json = parsed(value);
  if (isArray(json)) {
    const [only, ...more] = json;
    return more.length === 0 && isObject(only) && "text" in only ? unwrapped(only.text ?? null) : json;
  }
  if (isObject(json)) {
    const [key, ...others] = Object.keys(json).filter((name) => name !== "type");
    const isEnvelope = key !== undefined && /^(text|content|output|result|value|parts)$/.test(key);
    return isEnvelope && others.length === 0 ? unwrapped(json[key] ?? null) : json;
  }
  return typeof json === "string" ? squeezed(json) : json;
}

function sameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (isArray(a)) return isArray(b) && a.length === b.length && a.every((item, at) => sameJson(item, b[at]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && sameJson(a[key], b[key]));
}
