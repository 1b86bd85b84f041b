import { describe, expect, test } from "vitest";
import { adapters } from "../../adapters/index.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { FragmentReader } from "../../src/runs/fragment-reader.ts";
import { RunStitcher } from "../../src/runs/waiting/run-stitcher.ts";
import {
  agentSpan,
  asks,
  chatAttributes,
  inputMessages,
  type Message,
  outputMessages,
  tokenCounts,
  toolAttributes,
  toolSpan,
  words,
} from "../support/genai.ts";
import { document, hex, span } from "../support/otlp.ts";
import { tracesOf } from "../support/runs.ts";

const QUIET = 10_000;
const reader = new FragmentReader(adapters);

function call(question: string, answer: Message, finish: string) {
  return {
    ...chatAttributes("m"),
    ...inputMessages(words("user", question)),
    ...outputMessages(answer),
    ...tokenCounts(10, 1),
    "gen_ai.response.finish_reasons": finish,
  };
}

const question = "How long is the file?";
const task = { subagent_type: "reader", prompt: "Count the lines." };
const given = { "gen_ai.tool.call.arguments": JSON.stringify(task) };
const starts = asks("c1", "agent", task);
const tells = words("assistant", "It has 2 lines.");

/** An agent whose tool starts a helper. The tool returns at once, so the agent answers before the helper does. */
const main = [
  agentSpan("1", undefined, "main", 0, 100, {}, { trace: "a" }),
  span("2", "1", "chat m", 1, 10, call(question, starts, "tool_calls"), { trace: "a" }),
  toolSpan("3", "1", "agent", 11, { ...toolAttributes("agent", "c1", "started"), ...given }, { trace: "a" }),
  span("4", "1", "chat m", 21, 99, call(question, tells, "stop"), { trace: "a" }),
];

/** The helper's trace, with a span link to the tool that started it. */
function helper(linked: string | undefined, trace = "a") {
  const links = linked === undefined ? [] : [{ traceId: hex(trace, 32), spanId: hex(linked, 16) }];
  const found = words("assistant", "2 lines");
  return [
    agentSpan("5", undefined, "reader", 15, 300, {}, { trace: "b", links }),
    span("6", "5", "chat m", 16, 290, call(task.prompt, found, "stop"), { trace: "b" }),
  ];
}

function add(stitcher: RunStitcher, spans: Parameters<typeof document>[0], nowMs: number): void {
  for (const trace of tracesOf([document(spans)])) stitcher.add(reader.read(trace), nowMs);
}

/** Run by its answer, agents and calls. */
function told({ answer, agent, finalAgent, handoffs, llmCalls, totalTokens }: AgentRun): object {
  return { answer, agent, finalAgent, to: handoffs.map(({ to }) => to), llmCalls, totalTokens };
}

const whole = {
  answer: "It has 2 lines.",
  agent: "main",
  finalAgent: "main",
  to: ["reader"],
  llmCalls: 3,
  totalTokens: 33,
};

describe("a helper in a trace of its own, linked to the tool that started it", () => {
  test.each([
    ["after", [main, helper("3")]],
    ["before", [helper("3"), main]],
  ])("belongs to the run, if its trace comes %s the agent's", (_, traces) => {
    const stitcher = new RunStitcher();
    for (const trace of traces) add(stitcher, trace, 0);
    expect(stitcher.emit(0).map(told)).toEqual([whole]);
  });

  test("belongs to the run, if it comes after the run was emitted", () => {
    const stitcher = new RunStitcher();
    add(stitcher, main, 0);
    expect(stitcher.emit(0)).toEqual([]);
    expect(stitcher.emit(QUIET).map(told)).toMatchObject([{ answer: whole.answer, to: ["reader"] }]);
    add(stitcher, helper("3"), 2 * QUIET);
    expect(stitcher.emit(2 * QUIET).map(told)).toEqual([whole]);
  });

  test("agents below one span that link to each other's tools through it end in runs, not in a circle", () => {
    const starting = (id: string, parent: string, at: number, trace: string) =>
      toolSpan(id, parent, "agent", at, given, { trace });
    const linkTo = (trace: string, id: string) => [{ traceId: hex(trace, 32), spanId: hex(id, 16) }];
    const stitcher = new RunStitcher();
    const both = { trace: "a", links: linkTo("b", "8") };
    const ofA = { trace: "a" };
    add(
      stitcher,
      [
        span("1", undefined, "process tasks", 0, 200, {}, both),
        agentSpan("2", "1", "one", 1, 50, {}, ofA),
        starting("3", "2", 10, "a"),
        agentSpan("4", "1", "three", 100, 150, {}, ofA),
        starting("7", "4", 110, "a"),
      ],
      0,
    );
    const two = { trace: "b", links: linkTo("a", "3") };
    add(stitcher, [agentSpan("5", undefined, "two", 20, 60, {}, two), starting("8", "5", 30, "b")], 0);
    const runs = stitcher.drain();
    expect(new Set(runs.flatMap(({ traceIds }) => traceIds))).toEqual(new Set([hex("a", 32), hex("b", 32)]));
    expect(runs.flatMap(({ tools, handoffs }) => [...tools, ...handoffs]).length).toBeGreaterThan(0);
  });

  test.each([
    ["without a link", undefined],
    ["with a link to the agent, which starts nothing", "1"],
  ])("%s is a run of its own", (_, linked) => {
    const stitcher = new RunStitcher();
    add(stitcher, main, 0);
    add(stitcher, helper(linked), 0);
    const runs = stitcher.emit(QUIET);
    expect(runs.map(({ agent }) => agent)).toEqual(["main", "reader"]);
  });
});

/** An agent that stops at a tool for an approval, and the trace that goes on from it. */
function interrupted(linked: boolean) {
  const first = [
    agentSpan("1", undefined, "main", 0, 100, {}, { trace: "a" }),
    span("2", "1", "chat m", 1, 10, call(question, starts, "tool_calls"), { trace: "a" }),
  ];
  const links = linked ? [{ traceId: hex("a", 32), spanId: hex("1", 16) }] : [];
  const second = [
    agentSpan("7", undefined, "main", 200, 300, {}, { trace: "c", links }),
    span("8", "7", "chat m", 201, 299, call("Go on.", tells, "stop"), { trace: "c" }),
  ];
  return [first, second];
}

test.each([
  ["goes on with it", true, [[question, "It has 2 lines.", 2]]],
  [
    "without the link is a run of its own",
    false,
    [
      [question, null, 1],
      ["Go on.", "It has 2 lines.", 1],
    ],
  ],
])("a trace linked to an unfinished run: %s", (_, linked, expected) => {
  const stitcher = new RunStitcher();
  for (const trace of interrupted(linked)) add(stitcher, trace, 0);
  const runs = stitcher.emit(QUIET);
  expect(runs.map(({ query, answer, llmCalls }) => [query, answer, llmCalls])).toEqual(expected);
});
