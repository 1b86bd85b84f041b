import { describe, expect, test } from "vitest";
import { adapters } from "../../adapters/index.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { FragmentReader } from "../../src/runs/fragment-reader.ts";
import { RunStitcher } from "../../src/runs/waiting/run-stitcher.ts";
import { tracesOf } from "../support/json-spans.ts";

const QUIET = 10_000;
const reader = new FragmentReader(adapters);

interface Part {
  readonly trace: string;
  readonly id: string;
  readonly parent?: string;
  readonly name: string;
  /** Start and end in ms. */
  readonly time: readonly [number, number];
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly links?: readonly object[];
}

function span({ trace, id, parent, name, time: [start, end], attributes, links }: Part): object {
  return {
    traceId: trace.repeat(32),
    spanId: id.repeat(16),
    ...(parent === undefined ? {} : { parentSpanId: parent.repeat(16) }),
    name,
    startTimeUnixNano: `${1_700_000_000_000 + start}000000`,
    endTimeUnixNano: `${1_700_000_000_000 + end}000000`,
    attributes: Object.entries(attributes).map(([key, value]) => ({
      key,
      value: typeof value === "string" ? { stringValue: value } : { intValue: value },
    })),
    ...(links === undefined ? {} : { links }),
  };
}

function messages(role: string, part: object): string {
  return JSON.stringify([{ role, parts: [part] }]);
}

function agent(name: string): Part["attributes"] {
  return { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name };
}

function call(question: string, answer: object, finish: string): Part["attributes"] {
  return {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "m",
    "gen_ai.input.messages": messages("user", { type: "text", content: question }),
    "gen_ai.output.messages": messages("assistant", answer),
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 1,
    "gen_ai.response.finish_reasons": finish,
  };
}

const question = "How long is the file?";
const task = { subagent_type: "reader", prompt: "Count the lines." };
const asks = { type: "tool_call", id: "c1", name: "agent", arguments: task };
const tells = { type: "text", content: "It has 2 lines." };

/** An agent whose tool starts a helper. The tool returns at once, so the agent answers before the helper does. */
const main = [
  span({ trace: "a", id: "1", name: "invoke_agent main", time: [0, 100], attributes: agent("main") }),
  span({
    trace: "a",
    id: "2",
    parent: "1",
    name: "chat m",
    time: [1, 10],
    attributes: call(question, asks, "tool_calls"),
  }),
  span({
    trace: "a",
    id: "3",
    parent: "1",
    name: "execute_tool agent",
    time: [11, 20],
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "agent",
      "gen_ai.tool.call.id": "c1",
      "gen_ai.tool.call.arguments": JSON.stringify(task),
      "gen_ai.tool.call.result": "started",
    },
  }),
  span({
    trace: "a",
    id: "4",
    parent: "1",
    name: "chat m",
    time: [21, 99],
    attributes: call(question, tells, "stop"),
  }),
];

/** The helper's trace, with a span link to the tool that started it. */
function helper(linked: string | undefined): object[] {
  const links = linked === undefined ? [] : [{ traceId: "a".repeat(32), spanId: linked.repeat(16) }];
  const found = { type: "text", content: "2 lines" };
  return [
    span({
      trace: "b",
      id: "5",
      name: "invoke_agent reader",
      time: [15, 300],
      attributes: agent("reader"),
      links,
    }),
    span({
      trace: "b",
      id: "6",
      parent: "5",
      name: "chat m",
      time: [16, 290],
      attributes: call(task.prompt, found, "stop"),
    }),
  ];
}

function add(stitcher: RunStitcher, spans: readonly object[], nowMs: number): void {
  const scopeSpans = [{ scope: { name: "agents" }, spans }];
  for (const trace of tracesOf([{ resourceSpans: [{ resource: {}, scopeSpans }] }]))
    stitcher.add(reader.read(trace), nowMs);
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

  test("joins nothing else, if the agent's trace comes again", () => {
    const stitcher = new RunStitcher();
    for (const trace of [main, helper("3"), main]) add(stitcher, trace, 0);
    expect(stitcher.emit(0).map(told)).toEqual([whole]);
    expect(stitcher.drain()).toEqual([]);
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
function interrupted(linked: boolean): object[][] {
  const first = [
    span({ trace: "a", id: "1", name: "invoke_agent main", time: [0, 100], attributes: agent("main") }),
    span({
      trace: "a",
      id: "2",
      parent: "1",
      name: "chat m",
      time: [1, 10],
      attributes: call(question, asks, "tool_calls"),
    }),
  ];
  const links = linked ? [{ traceId: "a".repeat(32), spanId: "1".repeat(16) }] : [];
  const second = [
    span({
      trace: "c",
      id: "7",
      name: "invoke_agent main",
      time: [200, 300],
      attributes: agent("main"),
      links,
    }),
    span({
      trace: "c",
      id: "8",
      parent: "7",
      name: "chat m",
      time: [201, 299],
      attributes: call("Go on.", tells, "stop"),
    }),
  ];
  return [first, second];
}

describe("a trace linked to an unfinished run", () => {
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
  ])("%s", (_, linked, expected) => {
    const stitcher = new RunStitcher();
    for (const trace of interrupted(linked)) add(stitcher, trace, 0);
    const runs = stitcher.emit(QUIET);
    expect(runs.map(({ query, answer, llmCalls }) => [query, answer, llmCalls])).toEqual(expected);
  });
});
