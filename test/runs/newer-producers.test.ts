import { expect, test } from "vitest";
import {
  agentSpan,
  asks,
  chatSpan,
  inputMessages,
  type Message,
  outputMessages,
  tokenCounts,
  toolAttributes,
  words,
} from "../support/genai.ts";
import { evaluationOf } from "../support/evaluation-of.ts";
import { type Attributes, document, span } from "../support/otlp.ts";
import { queryOf } from "../support/query-of.ts";
import { replayed } from "../support/replayed.ts";
import type { AgentRun } from "../../src/model/run.ts";

/** Forms of telemetry that tool servers, memories and newer instrumentations write, in the conventions' attributes, so that each rule is tested alone. */

const question = words("user", "Where is the lamp?");
const answer = words("assistant", "In room 4.");
const asked = asks("f", "find", { title: "lamp" });

type More = Readonly<Record<string, unknown>>;

const chat = (
  id: string,
  at: number,
  inputs: readonly Message[],
  output: Message,
  parent?: string,
  more: Attributes = {},
) => chatSpan(id, parent, at, { ...inputMessages(...inputs), ...outputMessages(output), ...more });
const counted = tokenCounts(10, 2);

const agent = (id: string, end: number, more: Attributes = {}, options: More = {}) =>
  agentSpan(id, undefined, "guide", 0, end, more, options);
const tool = (id: string, parent: string | undefined, start: number, end: number, options: More = {}) =>
  span(id, parent, "execute_tool find", start, end, toolAttributes("find"), options);

function forbids(run: AgentRun | undefined, name: string): string | undefined {
  if (run === undefined) return undefined;
  const { layers } = evaluationOf(run, queryOf({ path: { forbidden_tools: [name] } }));
  return layers.path.checks.find(({ check }) => check === "forbidden_tools")?.outcome;
}

test.each([
  [undefined, "error"],
  [{ code: 1 }, "ok"],
])("an error type fails a span with the status %j: %s", async (status, outcome) => {
  const failed = { "error.type": "RateLimitError" };
  const [run] = await replayed(
    document([
      agent("a", 30, failed, status === undefined ? {} : { status }),
      chat("b", 1, [question], answer, "a", counted),
    ]),
  );
  expect(run?.status).toBe(outcome);
});

test.each([
  ["guide", ["find"], []],
  ["scout", [], ["scout"]],
])("a tool around a span with the agent name %s", async (name, tools, handoffs) => {
  const [run] = await replayed(
    document([
      agent("a", 40),
      chat("b", 1, [question], asked, "a", counted),
      tool("c", "a", 10, 18),
      span("d", "c", "initialize", 11, 17, { "gen_ai.agent.name": name }),
      chat("e", 20, [question, asked], answer, "a", counted),
    ]),
  );
  expect(run?.tools.map((one) => one.name)).toEqual(tools);
  expect(run?.handoffs.map(({ to }) => to)).toEqual(handoffs);
  expect(forbids(run, "find")).toBe("fail");
});

test.each([
  ["and no such agent worked", ["failed"], undefined, [], ["transfer_to_scout"]],
  ["and worked when it was called again", ["failed", "ok"], "scout", ["scout"], ["transfer_to_scout"]],
  ["but the agent worked", ["failed"], "scout", ["scout"], []],
])("a hand-off tool failed, %s", async (_name, calls, worked, handoffs, tools) => {
  const [run] = await replayed(
    document([
      agent("a", 90),
      chat("b", 1, [question], asks("h", "transfer_to_scout"), "a", counted),
      ...calls.map((outcome, at) => {
        const attributes = toolAttributes("transfer_to_scout", `h${at}`);
        const failure = outcome === "failed" ? { status: { code: 2, message: "no such agent" } } : {};
        return span(`c${at}`, "a", "execute_tool transfer_to_scout", 10 + at, 11 + at, attributes, failure);
      }),
      ...(worked === undefined ? [] : [agentSpan("s", "a", worked, 20, 40)]),
      chat("d", 30, [question], answer, worked === undefined ? "a" : "s", counted),
    ]),
  );
  expect(run?.handoffs.map(({ to }) => to)).toEqual(handoffs);
  expect(run?.tools.map(({ name }) => name)).toEqual(tools);
});

test.each([
  [30, ["scout", "scout"], "shop"],
  [12, ["scout", "scout"], "scout"],
])("spans beside a hand-off tool that ends at %d", async (end, agents, finalAgent) => {
  const handsOver = asks("h", "transfer_to_scout", {});
  const [run] = await replayed(
    document([
      span("a", undefined, "desk", 0, 90, {}),
      chat("b", 1, [question], handsOver, "a", counted),
      span("c", "a", "execute_tool transfer_to_scout", 10, end, toolAttributes("transfer_to_scout", "h")),
      chat("d", 14, [question], asked, "a", counted),
      tool("e", "a", 20, 22),
      chat("f", 40, [question, asked], answer, "a", counted),
    ]),
  );
  expect([run?.llm[1]?.agent, run?.tools[0]?.agent]).toEqual(agents);
  expect(run?.finalAgent).toBe(finalAgent);
});

test.each([
  ["task", "shop"],
  ["transfer_to_agent", "scout"],
])("after %s, whose result the next call was given", async (name, finalAgent) => {
  const delegates = asks("h", name, { agent_name: "scout" });
  const returned: Message = {
    role: "tool",
    parts: [{ type: "tool_call_response", id: "h", response: "It is here." }],
  };
  const [run] = await replayed(
    document([
      span("a", undefined, "desk", 0, 90, {}),
      chat("b", 1, [question], delegates, "a", counted),
      chat("c", 20, [question, delegates, returned], answer, "a", counted),
    ]),
  );
  expect(run?.handoffs.map(({ to }) => to)).toEqual(["scout"]);
  expect(run?.finalAgent).toBe(finalAgent);
});

test("a call that shows only the model's version requested the model that another call names", async () => {
  const versioned = {
    ...counted,
    "gen_ai.request.model": "small-0715",
    "gen_ai.response.model": "small-0715",
  };
  const spansOf = (other: string) =>
    document([
      agent("a", 40),
      chat("b", 1, [question], asked, "a", versioned),
      chat("d", 20, [question, asked], answer, "a", { ...counted, "gen_ai.request.model": other }),
    ]);
  const [run] = await replayed(spansOf("small"));
  expect(run?.models).toEqual(["small"]);
  const [two] = await replayed(spansOf("large"));
  expect(two?.models).toEqual(["small-0715", "large"]);
});

test("partial counts are not the usage of a call", async () => {
  const partial = { "gen_ai.usage.partial.input_tokens": 10, "gen_ai.usage.partial.output_tokens": 1 };
  const [run] = await replayed(document([chat("a", 0, [question], answer, undefined, partial)]));
  expect(run?.usage).toMatchObject({ input: null, output: null });
});

test("a tool that is named unknown may be a forbidden tool", async () => {
  const runs = await replayed(
    document([
      agent("a1", 50),
      chat("c1", 1, [question], answer, "a1"),
      span("t1", "a1", "execute_tool", 20, 30, toolAttributes("unknown")),
    ]),
  );
  expect(runs[0]?.tools.map(({ name }) => name)).toEqual([null]);
  expect(forbids(runs[0], "find")).toBe("incomplete");
});

test("without model calls, the agent that finished last after a hand-off is the final agent", async () => {
  const named = (id: string, name: string, start: number, end: number) =>
    agentSpan(id, "w1", name, start, end, {});
  const runs = await replayed(
    document([
      span("w1", undefined, "invoke_workflow", 0, 90, { "gen_ai.operation.name": "invoke_workflow" }),
      named("a1", "guide", 1, 40),
      agentSpan("a3", "a1", "porter", 30, 31, {}),
      named("a2", "porter", 41, 80),
    ]),
  );
  expect(runs.map(({ agent: first, finalAgent }) => [first, finalAgent])).toEqual([["guide", "porter"]]);
});

test("printed chunks of a stream are not an answer", async () => {
  const output = "StreamDelta(content='In')StreamDelta(content=' room 4.')";
  const runs = await replayed(
    document([agent("a1", 50, { "output.value": output, "input.value": "Where?" })]),
  );
  expect(runs.map((run) => run.answer)).toEqual([null]);
});

test("the name of the system prompt is the agent's", async () => {
  const prompt = { ...words("system", "Answer from the catalogue."), name: "guide" };
  const runs = await replayed(document([chat("c1", 1, [prompt, question], answer)]));
  expect(runs.map((run) => run.agent)).toEqual(["guide"]);
});

test("few-shot examples in system messages name no agent", async () => {
  const examples = ["example_user", "example_assistant"].map((name) => ({
    ...words("system", "Where?"),
    name,
  }));
  const inputs = [words("system", "Answer from the catalogue."), ...examples, question];
  const runs = await replayed(document([chat("c1", 1, inputs, answer)]));
  expect(runs.map(({ llm }) => llm.map((call) => call.agent))).toEqual([["shop"]]);
});

test.each([
  'KeyboardEvent(key="Enter") is sent when a key is pressed.',
  "CalendarEvent(title='Lunch', at='12:00')",
  "<error>\n<code>404</code>\n</error>",
])("a text that only begins as a placeholder does is an answer: %s", async (text) => {
  const runs = await replayed(document([chat("c1", 1, [question], words("assistant", text))]));
  expect(runs.map((run) => run.answer)).toEqual([text]);
});

test("the tokens of a span around two runs are those of neither run", async () => {
  const inner = (id: string, start: number) => [
    agentSpan(`a${id}`, "w1", id, start, start + 20, {}),
    chat(`c${id}`, start + 1, [words("user", `Where is lamp ${id}?`)], answer, `a${id}`),
  ];
  const runs = await replayed(
    document([span("w1", undefined, "shift", 0, 90, counted), ...inner("1", 1), ...inner("2", 40)]),
  );
  expect(runs.map(({ usage }) => usage.input)).toEqual([null, null]);
  const alone = await replayed(document([span("w1", undefined, "shift", 0, 90, counted), ...inner("1", 1)]));
  expect(alone.map(({ usage }) => usage.input)).toEqual([10]);
});

test("an operation in the name of a tool's span is not the tool's name", async () => {
  const unnamed = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.call.arguments": '{"title":"lamp"}',
    "gen_ai.tool.call.result": "room 4",
  };
  const runs = await replayed(
    document([
      agent("a1", 90),
      chat("c1", 1, [question], asked, "a1"),
      span("t1", "a1", "tool.approval", 20, 30, unnamed),
      chat("c2", 40, [question], answer, "a1"),
    ]),
  );
  expect(runs.map(({ tools }) => tools.map((one) => [one.name, one.result]))).toEqual([[["find", "room 4"]]]);
});
