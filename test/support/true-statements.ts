import type { JsonValue } from "../../src/model/json.ts";
import type { Layer } from "../../src/model/outcome.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { evaluateQuery } from "../../src/evaluate/evaluate.ts";
import { queryOf } from "./query-of.ts";
import { pairedRuns, type TrueRun } from "./recorded-truth.ts";

/** A check with a limit that the true run meets, and one that it violates. */
interface Statement {
  readonly layer: Layer;
  readonly key: string;
  readonly holds?: JsonValue | undefined;
  readonly breaks?: JsonValue | undefined;
  /** Fields of the run on which the check depends. */
  readonly fields: readonly string[];
}

const ABSENT = "qzxvyplugh";
const options = { reference: { missing: "not-asked", version: null }, judge: "off" } as const;

/**
 * Checks whose verdict contradicts the truth: a violation of what is true, or a pass of what is false. Could-not-tell is no contradiction.
 * @param wrong fields of the assembled runs that are known to be wrong; checks that depend on them are left out
 */
export function contradictedChecks(
  truths: readonly TrueRun[],
  runs: readonly AgentRun[],
  wrong: readonly string[],
): readonly string[] {
  if (wrong.includes("runs")) return [];
  return pairedRuns(truths, runs).flatMap((run, at) => {
    const truth = truths[at];
    if (run === undefined || truth === undefined) return [];
    const statements = statementsOf(truth, run).filter(
      ({ fields }) => !fields.some((one) => wrong.includes(one)),
    );
    return [
      ...outcomesOf(run, statements, "holds").filter(
        ([, outcome]) => outcome === "fail" || outcome === "warn",
      ),
      ...outcomesOf(run, statements, "breaks").filter(([, outcome]) => outcome === "pass"),
    ].map(([key, outcome, message]) => `${truth.query}: ${key} is ${outcome}: ${message}`);
  });
}

function outcomesOf(run: AgentRun, statements: readonly Statement[], side: "holds" | "breaks") {
  const query: Record<Layer, Record<string, JsonValue>> = { correctness: {}, path: {}, cost: {} };
  for (const { layer, key, [side]: limit } of statements) if (limit !== undefined) query[layer][key] = limit;
  const { layers } = evaluateQuery(run, queryOf(query), options);
  return [layers.correctness, layers.path, layers.cost]
    .flatMap(({ checks }) => checks)
    .map(({ check, outcome, message }) => [check, outcome, message] as const);
}

function statementsOf(truth: TrueRun, run: AgentRun): readonly Statement[] {
  return [
    ...answerStatements(truth),
    ...toolStatements(truth, run),
    ...agentStatements(truth),
    ...countStatements(truth),
  ];
}

function answerStatements({ answer, status }: TrueRun): readonly Statement[] {
  const fields = ["answer"];
  const layer = "correctness";
  const end: Statement = {
    layer,
    key: "run_status",
    holds: status === "killed" ? undefined : status,
    breaks: status === "error" ? "ok" : "error",
    fields: ["status"],
  };
  const [word] = answer?.match(/\p{L}{4,}/u) ?? [];
  if (word === undefined) return [end];
  return [
    end,
    { layer, key: "expected_in_answer", holds: [word.toUpperCase()], breaks: [word, ABSENT], fields },
    { layer, key: "any_expected_in_answer", holds: [ABSENT, word], breaks: [ABSENT], fields },
    { layer, key: "not_in_answer", holds: [ABSENT], breaks: [word], fields },
    { layer, key: "regex_match", holds: word, breaks: ABSENT, fields },
  ];
}

function toolStatements({ tools }: TrueRun, run: AgentRun): readonly Statement[] {
  const layer = "path";
  const ran = tools.filter(({ executed }) => executed !== false);
  // It is unknown whether a tool without result and error ran.
  if (ran.some(({ result, error }) => (result ?? error) === undefined)) return [];
  const shown = new Set(run.tools.map(({ name }) => name));
  const names = ran.map(({ name, name_in_data: inData = name }) => (shown.has(name) ? name : inData));
  const distinct = [...new Set(names)];
  const failed = ran.filter(({ error }) => error !== undefined).length;
  const calls = ran.map(({ arguments: given }, at) => ({ name: names[at] ?? "", arguments: given }));
  const fields = ["tools"];
  const other = [...distinct, ABSENT];
  return [
    { layer, key: "max_tool_calls", holds: ran.length, breaks: below(ran.length), fields },
    { layer, key: "expected_tools", holds: distinct, breaks: other, fields },
    { layer, key: "min_tool_precision", holds: 1, fields },
    { layer, key: "min_tool_f1", holds: 1, breaks: 1, fields },
    {
      layer,
      key: "forbidden_tools",
      holds: [ABSENT],
      breaks: distinct.length === 0 ? undefined : distinct,
      fields,
    },
    {
      layer,
      key: "expected_tool_calls",
      holds: calls,
      breaks: [...calls, { name: ABSENT, arguments: {} }],
      fields: [...fields, "tool_arguments"],
    },
    {
      layer,
      key: "call_mode",
      holds: "same-calls",
      breaks: "contains-calls",
      fields: [...fields, "tool_arguments"],
    },
    { layer, key: "expected_steps", holds: distinct, breaks: other, fields },
    {
      layer,
      key: "max_tool_errors",
      holds: failed,
      breaks: below(failed),
      fields: [...fields, "tool_errors"],
    },
  ];
}

function agentStatements({ agent, handoffs, tools, llm_calls: calls, llm }: TrueRun): readonly Statement[] {
  const targets = handoffs.map(({ to }) => to);
  const fields = ["handoffs"];
  const layer = "path";
  const isAlone =
    llm?.every((call) => call.agent === agent) === true && tools.every((tool) => tool.agent === agent);
  return [
    { layer, key: "max_handoff_count", holds: targets.length, breaks: below(targets.length), fields },
    {
      layer,
      key: "expected_handoffs",
      holds: targets.length === 0 ? undefined : targets,
      breaks: [...targets, ABSENT],
      fields,
    },
    {
      layer: "cost",
      key: "agent_budgets",
      holds: isAlone ? { [agent]: { max_llm_calls: calls } } : undefined,
      breaks: isAlone && calls > 0 ? { [agent]: { max_llm_calls: calls - 1 } } : undefined,
      fields: ["agent", "final_agent", "tool_agents", "llm_calls"],
    },
  ];
}

function countStatements({ status, total_tokens: tokens, llm_calls: calls }: TrueRun): readonly Statement[] {
  const layer = "cost";
  // The calls of a killed run may have used more tokens than were recorded.
  const isOver = status !== "killed";
  const fields = ["total_tokens", "input_tokens", "output_tokens"];
  return [
    { layer, key: "max_total_tokens", holds: isOver ? tokens : undefined, breaks: below(tokens), fields },
    { layer, key: "max_llm_calls", holds: calls, breaks: below(calls), fields: ["llm_calls"] },
  ];
}

/** A limit that the count exceeds; undefined if there is none. */
function below(count: number): number | undefined {
  return count > 0 ? count - 1 : undefined;
}
