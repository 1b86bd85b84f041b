import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { casesByOriginal, type Decided, fingerprintOf, type Original } from "../authoring/originals/cases.ts";

/*
 * Records what promptfoo, agentevals, Google's ADK and EvalView decide about the generated cases of `test/authoring/originals`. They are installed
 * elsewhere: `npm install promptfoo`, and a virtual environment each with `pip install agentevals`, `google-adk[eval]`, `evalview`.
 */

const promptfoo = String.raw`
const [, entry] = process.argv;
const { assertions } = await import(entry);
const { variables, cases } = JSON.parse(await new Response(process.stdin).text());
let decisions = "";
for (const { assert, trajectory } of cases) {
  const { answer, tools, costUsd, latencyMs } = trajectory;
  const spans = tools.map(({ name, arguments: args }, at) => ({
    spanId: String(at), name: "execute_tool " + name, startTime: at, endTime: at + 1,
    attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name, "gen_ai.tool.call.arguments": JSON.stringify(args) },
  }));
  const root = { spanId: "root", name: "invoke_agent shop", startTime: -1, endTime: 99, attributes: {} };
  const holds = async (assertion) => {
    if (assertion.type === "assert-set") return (await Promise.all(assertion.assert.map(holds))).every(Boolean);
    const { pass } = await assertions.runAssertion({
      assertion, latencyMs, test: { vars: variables, assert }, traceId: "t", traceData: { traceId: "t", spans: [root, ...spans] },
      providerResponse: { output: answer, cost: costUsd },
    });
    return pass;
  };
  try {
    decisions += (await Promise.all(assert.map(holds))).every(Boolean) ? "p" : "f";
  } catch {
    decisions += "e";
  }
}
console.log("\n" + decisions);
process.exit(0);
`;

const python = String.raw`
import json, sys
from importlib.metadata import version
original, cases = sys.argv[1], json.load(sys.stdin)

def agentevals(case):
    from agentevals.trajectory.match import create_trajectory_match_evaluator
    settings = dict(case["file"])
    reference = settings.pop("reference_outputs")
    return [create_trajectory_match_evaluator(**settings)(outputs=case["outputs"], reference_outputs=reference)["score"]]

def adk(case):
    from google.adk.evaluation import eval_config
    from google.adk.evaluation.eval_case import EvalCase
    from google.adk.evaluation.evaluator import EvalStatus
    from google.adk.evaluation.response_evaluator import ResponseEvaluator
    from google.adk.evaluation.trajectory_evaluator import TrajectoryEvaluator
    evaluators = {"tool_trajectory_avg_score": TrajectoryEvaluator, "response_match_score": ResponseEvaluator}
    uses = [{"name": call["name"], "args": call["arguments"]} for call in case["calls"]]
    turn = {"user_content": {"parts": [{"text": "Q?"}]}, "final_response": {"parts": [{"text": case["answer"]}]}, "intermediate_data": {"tool_uses": uses}}
    actual = EvalCase.model_validate({"eval_id": "actual", "conversation": [turn]}).conversation
    expected = EvalCase.model_validate(case["evalCase"]).conversation
    criteria = case["criteria"]
    config = eval_config._DEFAULT_EVAL_CONFIG if criteria is None else eval_config.EvalConfig.model_validate({"criteria": criteria})
    metrics = [one for one in eval_config.get_eval_metrics_from_config(config) if one.metric_name in evaluators]
    results = [evaluators[one.metric_name](eval_metric=one).evaluate_invocations(actual, expected) for one in metrics]
    return [all(one.overall_eval_status == EvalStatus.PASSED for one in results)]

def evalview(case):
    from datetime import datetime
    from evalview.core.types import ExecutionMetrics, ExecutionTrace, StepMetrics, StepTrace, TestCase
    from evalview.evaluators.cost_evaluator import CostEvaluator
    from evalview.evaluators.evaluator import Evaluator
    from evalview.evaluators.latency_evaluator import LatencyEvaluator
    from evalview.evaluators.output_evaluator import OutputEvaluator
    from evalview.evaluators.sequence_evaluator import SequenceEvaluator
    from evalview.evaluators.tool_call_evaluator import ToolCallEvaluator
    test, answer, day = TestCase.model_validate(case["test"]), case["answer"], datetime(2026, 1, 1)
    steps = [StepTrace(step_id=str(at), step_name=call["name"], tool_name=call["name"], parameters=call["arguments"], output="done", success=True, metrics=StepMetrics(latency=1, cost=0)) for at, call in enumerate(case["calls"])]
    metrics = ExecutionMetrics(total_cost=case["costUsd"], total_latency=case["latencyMs"])
    trace = ExecutionTrace(session_id="s", start_time=day, end_time=day, steps=steps, final_output=answer, metrics=metrics)
    output, tools, words = test.expected.output_model(), ToolCallEvaluator(), OutputEvaluator.__new__(OutputEvaluator)
    forbidden = tools.evaluate_forbidden(test, trace)
    return [
        tools.evaluate(test, trace).accuracy == 1,
        SequenceEvaluator().evaluate(test, trace).correct,
        forbidden is None or forbidden.passed,
        not words._check_contains(answer, output.contains).failed,
        not words._check_not_contains(answer, output.not_contains).failed,
        not Evaluator._check_regex_patterns(answer, output.regex_patterns or [])[1],
        CostEvaluator().evaluate(test, trace).passed,
        LatencyEvaluator().evaluate(test, trace).passed,
    ]

judge = {"agentevals": agentevals, "adk": adk, "evalview": evalview}[original]
print(version({"adk": "google-adk"}.get(original, original)))
print("".join("p" if one else "f" for case in cases for one in judge(case)))
`;

const originals: readonly Original[] = ["promptfoo", "agentevals", "adk", "evalview"];
const { values } = parseArgs({
  options: {
    promptfoo: { type: "string", default: "node_modules/promptfoo" },
    agentevals: { type: "string", default: "python3" },
    adk: { type: "string", default: "python3" },
    evalview: { type: "string", default: "python3" },
    out: { type: "string", default: "test/authoring/originals/decisions.json" },
  },
});

function decided(original: Original): Decided {
  const input = JSON.stringify(casesByOriginal[original]());
  const where = values[original];
  const [program, ...words] =
    original === "promptfoo"
      ? [process.execPath, "--input-type=module", "-e", promptfoo, `${where}/dist/src/index.js`]
      : [where, "-c", python, original];
  const env = { ...process.env, PROMPTFOO_DISABLE_TELEMETRY: "1", PROMPTFOO_DISABLE_UPDATE: "1" };
  const { stdout, stderr, status } = spawnSync(program, words, { input, env, encoding: "utf8" });
  const lines = stdout.trim().split("\n");
  const decisions = lines.at(-1) ?? "";
  if (status !== 0 || !/^[pfe]+$/.test(decisions)) throw new Error(`${original} did not decide: ${stderr}`);
  const version = original === "promptfoo" ? versionIn(where) : (lines.at(-2) ?? "");
  return { version, cases: fingerprintOf(original), decisions };
}

function versionIn(folder: string): string {
  const text = readFileSync(`${folder}/package.json`, "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}

const all = Object.fromEntries(originals.map((original) => [original, decided(original)]));
writeFileSync(values.out, `${JSON.stringify(all, null, 2)}\n`);
