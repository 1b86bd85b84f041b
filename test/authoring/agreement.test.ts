import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { proposeSpec } from "../../src/authoring/agreement/proposed-spec.ts";
import { questionsOf } from "../../src/authoring/questions.ts";
import { checks } from "../../src/evaluate/checks/registry.ts";
import { plainRun } from "../../src/model/plain-run.ts";
import type { AgentRun, ToolCall, Usage } from "../../src/model/run.ts";
import { createJudgeRun } from "../../src/pipeline/judge-run.ts";
import { replay } from "../../src/replay/replay.ts";
import { loadSpec } from "../../src/spec/load.ts";
import { berth, garden, snow, weather, type Wordings } from "../support/good-wordings.ts";
import { toolOf } from "../support/run-of.ts";

const agents: readonly (readonly [recording: string, wordings: Wordings])[] = [
  ["openai-agents-genai/parallel", garden],
  ["pydantic-ai-mlflow/parallel", snow],
  ["ai7-otel/parallel-failing", weather],
  ["langchain-js-openinference/parallel-failing", weather],
  ["agno-traceloop/two-steps", berth],
];

async function recorded(recording: string): Promise<AgentRun> {
  const files = ["traces", "logs"].map((name) => `test/fixtures/recordings/${recording}/${name}.jsonl`);
  const runs: AgentRun[] = [];
  const config = { attributes: [], prices: {} };
  await replay(
    files.filter((file) => existsSync(file)),
    { config, stdin: process.stdin, onRun: (run) => runs.push(run) },
  );
  const [run, ...others] = runs;
  if (run === undefined || others.length > 0) throw new Error(`${recording}: ${runs.length} runs`);
  return plainRun(run);
}

/** The run with other words, and a little more or less of time and tokens. */
function again(run: AgentRun, answer: string, at: number): AgentRun {
  const factor = 1 + ((at % 5) - 2) / 20;
  return {
    ...withTokens(run, factor),
    runId: `${run.runId}-${at}`,
    answer,
    durationMs: Math.round(run.durationMs * factor),
  };
}

function withTokens(run: AgentRun, factor: number): AgentRun {
  const times = (value: number | null): number | null => (value === null ? null : Math.round(value * factor));
  const ofUsage = (usage: Usage): Usage => ({
    ...usage,
    input: times(usage.input),
    output: times(usage.output),
  });
  return {
    ...run,
    totalTokens: times(run.totalTokens),
    usage: ofUsage(run.usage),
    llm: run.llm.map((call) => ({ ...call, usage: ofUsage(call.usage) })),
  };
}

function withTools(run: AgentRun, change: (tools: readonly ToolCall[]) => readonly ToolCall[]): AgentRun {
  return { ...run, tools: change(run.tools) };
}

function swapped(tools: readonly ToolCall[]): readonly ToolCall[] {
  const at = tools.findIndex((call, place) => (tools[place + 1]?.name ?? call.name) !== call.name);
  const [call] = tools.slice(at, at + 1);
  return call === undefined ? tools : tools.toSpliced(at, 1).toSpliced(at + 1, 0, call);
}

const last = (tools: readonly ToolCall[]) => tools.slice(-1);
const withOtherDigits = (text: string) => text.replaceAll(/\d/g, (digit) => String((Number(digit) + 3) % 10));

type Fault = (run: AgentRun, wordings: Wordings) => AgentRun;

/** What may go wrong with an agent. Those that concern tools or facts have to fail the run. */
const faults: readonly (readonly [name: string, must: "fail" | "notice" | "may pass", make: Fault])[] = [
  ["an extra tool", "fail", (run) => withTools(run, (tools) => [...tools, toolOf("send_mail", 90)])],
  ["another order", "fail", (run) => withTools(run, swapped)],
  ["a wrong answer", "fail", (run) => ({ ...run, answer: "All is well, there is nothing to report." })],
  ["88 % more tokens", "notice", (run) => withTokens(run, 1.88)],
  ["a lost tool", "fail", (run) => withTools(run, (tools) => tools.slice(0, -1))],
  [
    "a wrong argument",
    "fail",
    (run) =>
      withTools(run, (tools) => [
        ...tools.slice(0, -1),
        ...last(tools).map((call) => ({ ...call, arguments: falseArguments(call) })),
      ]),
  ],
  ["a repeated tool", "fail", (run) => withTools(run, (tools) => [...tools, ...last(tools), ...last(tools)])],
  [
    "another hand-off",
    "fail",
    (run) => ({
      ...run,
      handoffs: [{ spanId: null, from: run.agent, to: "Stranger", kind: "tool", inferred: false }],
    }),
  ],
  [
    "a swallowed error",
    "fail",
    (run) =>
      withTools(run, (tools) => [
        ...tools.slice(0, -1),
        ...last(tools).map((call) => ({ ...call, error: "timed out", result: undefined })),
      ]),
  ],
  ["a refusal", "fail", (run) => ({ ...run, answer: "I am sorry, but I can not help with that." })],
  ["an empty answer", "fail", (run) => ({ ...run, answer: "" })],
  ["wrong numbers", "fail", (run) => ({ ...run, answer: withOtherDigits(run.answer ?? "") })],
  ["another language", "may pass", (run, { german }) => ({ ...run, answer: german })],
  [
    "twice the calls",
    "fail",
    (run) => ({
      ...withTools(run, (tools) => [...tools, ...tools]),
      llmCalls: run.llmCalls === null ? null : run.llmCalls * 2,
    }),
  ],
  ["twice the latency", "notice", (run) => ({ ...run, durationMs: run.durationMs * 2 })],
  ["a forbidden tool", "fail", (run) => withTools(run, (tools) => [toolOf("delete_all", 91), ...tools])],
];

function falseArguments({ arguments: given }: ToolCall): NonNullable<ToolCall["arguments"]> {
  if (typeof given !== "object" || given === null) return { unknown: true };
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [
      key,
      typeof value === "number" ? value + 1 : `${String(value)}x`,
    ]),
  );
}

function judgeBy(text: string): (run: AgentRun) => string {
  const loaded = loadSpec({ file: "spec.yaml", text }, { checks });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const judge = createJudgeRun({
    specs: [loaded.spec],
    judgeSkipPolicy: { judge: "off" },
    engine: "test",
  });
  return (run) => judge(run).verdicts[0]?.outcome ?? "unmatched";
}

describe("the spec that three good runs agree on", () => {
  test.each(agents)("of %s notices faults, and passes further good runs", async (recording, wordings) => {
    const run = await recorded(recording);
    const good = wordings.first.map((answer, at) => again(run, answer, at));
    const [agent] = questionsOf(good).agents;
    if (agent === undefined) throw new Error("no question");
    const outcomeOf = judgeBy(proposeSpec(agent));

    const further = wordings.further.map((answer, at) => [answer, outcomeOf(again(run, answer, at + 3))]);
    expect(further.filter(([, outcome]) => outcome !== "pass")).toEqual([]);

    const outcomes = faults.map(([name, must, make]) => ({
      name,
      must,
      outcome: outcomeOf(make(again(run, wordings.first[0] ?? "", 1), wordings)),
    }));
    const isNoticed = (outcome: string) => outcome === "fail" || outcome === "warn";
    expect(outcomes.filter(({ must, outcome }) => must === "fail" && outcome !== "fail")).toEqual([]);
    expect(outcomes.filter(({ must, outcome }) => must === "notice" && !isNoticed(outcome))).toEqual([]);
    expect(outcomes.filter(({ outcome }) => isNoticed(outcome)).length).toBeGreaterThanOrEqual(14);
  });
});
