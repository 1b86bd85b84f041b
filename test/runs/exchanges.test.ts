import { expect, test } from "vitest";
import type { RecordedExchange } from "../../src/model/model-exchange.ts";
import { recordingScope } from "../../src/model/telemetry/own-scope.ts";
import { exchangesOf } from "../../src/runs/results/exchanges.ts";
import {
  agentAttributes,
  asks,
  chatAttributes,
  inputMessages,
  outputMessages,
  returns,
  tokenCounts,
  toolAttributes,
  words,
} from "../support/genai.ts";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

const ask = words("user", "Where is order 7?");
const request = asks("call_1", "find", { id: "7" });
const result = returns("call_1", "it is in Lyon");
const said = words("assistant", "In Lyon.");
const schema = { type: "object", properties: { id: { type: "string" } } };
const definitions = JSON.stringify([
  { type: "function", name: "find", description: "f", parameters: schema },
]);

function chat(inputs: readonly object[], outputs: readonly object[], more: object = {}) {
  return {
    ...chatAttributes("m"),
    ...tokenCounts(10, 5),
    ...inputMessages(...inputs),
    ...outputMessages(...outputs),
    ...more,
  };
}

const agent = agentAttributes("shop");
const tool = {
  ...toolAttributes("find", "call_1"),
  "gen_ai.tool.call.arguments": '{"id":"7"}',
  "gen_ai.tool.call.result": "it is in Lyon",
};

async function exchanges(...spans: Parameters<typeof document>[0]): Promise<readonly RecordedExchange[]> {
  const [run] = await replayed(document(spans));
  return run === undefined ? [] : exchangesOf(run);
}

/** The kinds and texts of a request's messages, and of its answer. */
function outline({ request: { messages }, answer, error }: RecordedExchange): readonly unknown[] {
  const asked = messages?.map(({ role, text, calls, results }) => [
    role,
    text ?? calls[0]?.name ?? results[0]?.content,
  ]);
  return [asked ?? null, answer?.text ?? answer?.calls.map(({ name }) => name) ?? error];
}

const whole = [
  [[["user", "Where is order 7?"]], ["find"]],
  [
    [
      ["user", "Where is order 7?"],
      ["assistant", "find"],
      ["tool", "it is in Lyon"],
    ],
    "In Lyon.",
  ],
];

test("a span of a whole tool loop gives each of its calls", async () => {
  const found = await exchanges(
    span("a", undefined, "invoke_agent", 0, 100, agent),
    span("c", "a", "chat", 1, 90, chat([ask, request, result], [said])),
    span("t", "c", "execute_tool", 10, 20, tool),
  );

  expect(found.map(outline)).toEqual(whole);
  expect(found.map(({ gaps }) => gaps)).toEqual([[], []]);
});

test.each([
  ["only on the agent", { "gen_ai.tool.definitions": definitions }, {}, ["find"]],
  [
    "on both: its own count",
    { "gen_ai.tool.definitions": "[]" },
    { "gen_ai.tool.definitions": definitions },
    ["find"],
  ],
  ["only on the agent, as names", { "gen_ai.tool.definitions": '["find"]' }, {}, undefined],
  ["nowhere", {}, {}, undefined],
])("tool definitions of a call %s", async (_, onAgent, onCall, names) => {
  const [found] = await exchanges(
    span("a", undefined, "invoke_agent", 0, 100, { ...agent, ...onAgent }),
    span("c", "a", "chat", 1, 90, chat([ask], [said], onCall)),
  );

  expect(found?.request.tools?.map(({ name }) => name)).toEqual(names);
});

test.each([
  ["which its span lacks", [], "find"],
  ["that its span has", [{ ...request, parts: [{ ...request.parts[0], name: "own" }] }], "own"],
])("an answer %s", async (_, outputs, name) => {
  const finish = { "gen_ai.response.finish_reasons": ["tool_calls"] };
  const [found] = await exchanges(
    span("a", undefined, "invoke_agent", 0, 100, agent),
    span("c", "a", "chat", 1, 9, chat([ask], outputs, finish)),
    span("d", "a", "chat", 30, 40, chat([ask, request, result], [said])),
  );

  expect(found?.answer).toMatchObject({ calls: [{ name }], finish: "tool_call", usage: { input: 10 } });
  expect(found?.gaps).toEqual([]);
});

test("a history that does not continue a call shows no answer of the call", async () => {
  const other = words("user", "Where is order 8?");
  const [found] = await exchanges(
    span("a", undefined, "invoke_agent", 0, 100, agent),
    span("c", "a", "chat", 1, 9, chat([ask], [])),
    span("d", "a", "chat", 30, 40, chat([other, request, result], [said])),
  );

  expect([found?.answer, found?.gaps]).toEqual([null, ["the model's answer is not recorded"]]);
});

test("between several agents, more tools may be offered than an agent declares", async () => {
  const declared = { "gen_ai.tool.definitions": definitions };
  const found = await exchanges(
    span("a", undefined, "invoke_agent", 0, 100, { ...agent, ...declared }),
    span("c", "a", "chat", 1, 9, chat([ask], [said])),
    span("b", "a", "invoke_agent", 10, 90, { ...agent, ...declared, "gen_ai.agent.name": "lost" }),
    span("d", "b", "chat", 11, 20, chat([ask], [said])),
    span("e", "b", "chat", 21, 30, chat([ask], [said], declared)),
  );

  expect(found.map(({ request: { hasMoreTools } }) => hasMoreTools)).toEqual([true, true, undefined]);
});

test.each([
  ["after it requested tools", [request], [[null, "no credit"]]],
  ["after its answer", [said], []],
])("a run that failed %s", async (_, outputs, more) => {
  const failed = { status: { code: 2, message: "no credit" } };
  const found = await exchanges(
    span("a", undefined, "invoke_agent", 0, 100, agent, failed),
    span("c", "a", "chat", 1, 9, chat([ask], outputs)),
    span("t", "a", "execute_tool", 10, 20, tool),
  );

  expect(found.slice(1).map(outline)).toEqual(more);
});

test("a call that the model server recorded has the request that was sent", async () => {
  const shown = chat([words("user", "task: Where is order 7?")], [said]);
  const sent = chat([ask], [said], { "gen_ai.tool.definitions": definitions });
  const [run] = await replayed(
    document([span("a", undefined, "invoke_agent", 0, 100, agent), span("c", "a", "chat", 1, 90, shown)]),
    document([span("r", "c", "chat m", 2, 80, sent)], { scope: recordingScope }),
  );
  const [found] = run === undefined ? [] : exchangesOf(run);

  expect(found === undefined ? null : outline(found)).toEqual([[["user", "Where is order 7?"]], "In Lyon."]);
  expect(found?.request.tools).toHaveLength(1);
});

test("the model server's span of a call does not make the run longer", async () => {
  const call = chat([ask], [said]);
  const [run] = await replayed(
    document([span("a", undefined, "invoke_agent", 0, 100, agent), span("c", "a", "chat", 1, 99, call)]),
    document([span("r", "c", "chat m", 2, 101, call)], { scope: recordingScope }),
  );

  expect([run?.durationMs, run?.llmCalls]).toEqual([100, 1]);
});
