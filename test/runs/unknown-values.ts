import { isArray, isObject, type JsonObject, type JsonValue } from "../../src/model/json.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { runJson } from "../../src/report/json/run-json.ts";

/** Entries that go by another name than the field's path in the JSON. */
const otherNames: Readonly<Record<string, string>> = {
  final_agent: "agent",
  "tools.agent": "agent",
  "llm.agent": "agent",
  status: "end",
  input_tokens: "tokens",
  output_tokens: "tokens",
  total_tokens: "tokens",
  cost_usd: "cost",
  "tools.name": "tool_names",
  "tools.arguments": "tool_arguments",
  "tools.executed": "tool_execution",
};

/** Entries that are not about a value that is null: gaps, and what the telemetry holds twice. */
const ofNoField = new Set("spans tools run root end attributes token_counts usage_records prices".split(" "));

/** Paths of the unknown values of a run's JSON; a JSON null that a tool was given or returned is a value, and so is no error. */
function unknownPaths(run: AgentRun): Set<string> {
  const paths = new Set<string>();
  const walk = (value: JsonValue | undefined, path: string): void => {
    if (value === null) paths.add(path);
    else if (isArray(value)) for (const item of value) walk(item, path);
    else if (isObject(value))
      for (const [key, one] of Object.entries(value)) walk(one, path === "" ? key : `${path}.${key}`);
  };
  const { attributes: _, missing: __, tools, ...fields } = runJson(run);
  walk(fields, "");
  for (const [at, tool] of (isArray(tools) ? tools : []).entries()) {
    const { arguments: given, result, ...rest } = tool as JsonObject;
    walk(rest, "tools");
    if (given === null && run.tools[at]?.arguments === undefined) paths.add("tools.arguments");
    if (result === null && run.tools[at]?.result === undefined) paths.add("tools.result");
  }
  for (const path of ["llm.error", "tools.error", ...(run.status === "error" ? [] : ["error"])])
    paths.delete(path);
  return paths;
}

/** Names of entries by which a path may be explained. */
function entriesOf(path: string, run: AgentRun): readonly string[] {
  if (path === "tools.result") return ["tool_results", path];
  // Why there is no answer is said by what ended the run, where that is known.
  if (path === "answer" && run.missing.some(({ what }) => what === "end")) return ["end"];
  return [otherNames[path] ?? path];
}

/** What contradicts that each unknown value of the runs has an entry in `missing`, no other value has, and each entry has its words. */
export function unexplainedIn(runs: readonly AgentRun[]): readonly string[] {
  return runs.flatMap((run) => [
    ...problemsOf(run),
    ...run.missing
      .filter(({ what, why }) => what === "" || why === "")
      .map(({ what, why }) => `an entry is empty: "${what}" because of "${why}"`),
  ]);
}

function problemsOf(run: AgentRun): string[] {
  const paths = unknownPaths(run);
  const said = run.missing.map(({ what }) => what);
  const explained = new Set([...paths].flatMap((path) => entriesOf(path, run)));
  return [
    ...[...paths]
      .filter((path) => !entriesOf(path, run).some((name) => said.includes(name)))
      .map((path) => `${path} is null, without an entry`),
    ...said
      .filter((what) => !explained.has(what) && !ofNoField.has(what))
      .map((what) => `${what} has an entry, and a value`),
  ];
}
