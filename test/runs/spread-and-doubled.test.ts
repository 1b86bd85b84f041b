import { expect, test } from "vitest";
import {
  agentAttributes,
  agentSpan,
  asks,
  chatAttributes,
  chatSpan,
  inputMessages,
  type Message,
  outputMessages,
  returns,
  tokenCounts,
  toolAttributes,
  toolSpan,
  words,
} from "../support/genai.ts";
import { type Attributes, document, hex, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** Runs that are spread over several traces, and values that are no values, in the conventions' attributes, so that each rule is tested alone. */

/** A model call in a trace of its own. */
const chat = (
  letter: string,
  at: number,
  inputs: readonly Partial<Message>[],
  output: Message,
  more: Attributes = {},
) =>
  chatSpan(
    letter,
    undefined,
    at,
    { ...inputMessages(...inputs), ...outputMessages(output), ...tokenCounts(10, 2), ...more },
    { trace: letter },
  );

const question = words("user", "Is Biscuit vaccinated?");
const inner = "How long does the vaccination of Biscuit last?";
const asked = asks("h", "ask_vaccine_scout", { question: inner });
const looked = asks("v", "vaccine_status", { name: "Biscuit" });

test("a helper's calls in traces of their own belong to the run that asked the helper", async () => {
  const helper = [words("user", inner), looked, returns("v", "until May")];
  const runs = await replayed(
    document([
      chat("a", 0, [question], asked),
      chat("b", 10, helper.slice(0, 1), looked),
      chat("c", 20, helper, words("assistant", "Until May.")),
      chat("d", 30, [question, asked, returns("h", "Until May.")], words("assistant", "Yes, until May.")),
    ]),
  );
  expect(runs).toHaveLength(1);
  expect(runs[0]).toMatchObject({ query: "Is Biscuit vaccinated?", answer: "Yes, until May.", llmCalls: 4 });
  expect(runs[0]?.handoffs).toMatchObject([{ to: "vaccine_scout" }]);
  expect(runs[0]?.tools).toMatchObject([
    { name: "vaccine_status", agent: "vaccine_scout", result: "until May" },
  ]);
});

test("a question that only resembles the helper's begins a run of its own", async () => {
  const runs = await replayed(
    document([
      chat("a", 0, [question], asked),
      chat("b", 10, [words("user", "How long does it last?")], words("assistant", "A year.")),
    ]),
  );
  expect(runs).toHaveLength(2);
});

test("a tool that asks no agent does not join a call that repeats its argument", async () => {
  const runs = await replayed(
    document([
      chat("a", 0, [question], asks("s", "search", { text: inner })),
      chat("b", 10, [words("user", inner)], words("assistant", "A year.")),
    ]),
  );
  expect(runs).toHaveLength(2);
});

test("two conversations at the same time with the same call ids and texts stay apart", async () => {
  const call = asks("call_1", "vaccine_status", { name: "Biscuit" });
  const of = (thread: string) => ({ "gen_ai.conversation.id": thread });
  const history = (result: string) => [question, call, returns("call_1", result)];
  const runs = await replayed(
    document([
      chat("a", 0, [question], call, of("one")),
      chat("b", 10, [question], call, of("two")),
      chat("c", 20, history("until May"), words("assistant", "Yes, until May."), of("one")),
      chat("d", 30, history("until June"), words("assistant", "Yes, until June."), of("two")),
    ]),
  );
  expect(runs.map(({ conversationId, answer, llmCalls }) => [conversationId, answer, llmCalls])).toEqual([
    ["one", "Yes, until May.", 2],
    ["two", "Yes, until June.", 2],
  ]);
});

test.each([
  [59, 1],
  [60, 2],
])("a tool's trace %i minutes after its request makes %i runs", async (minutes, count) => {
  const later = 10 + minutes * 60_000;
  const call = asks("call_1", "vaccine_status");
  const answered = [question, call, returns("call_1", "until May")];
  const runs = await replayed(
    document([
      agentSpan("e", undefined, "vet", 0, 10, {}, { trace: "a" }),
      { ...chat("a", 1, [question], call), parentSpanId: hex("e", 16) },
      {
        ...chat("a", 3, answered, words("assistant", "Yes.")),
        spanId: hex("f", 16),
        parentSpanId: hex("e", 16),
      },
      toolSpan("b", undefined, "vaccine_status", later, toolAttributes("vaccine_status", "call_1"), {
        trace: "b",
      }),
    ]),
  );
  expect(runs).toHaveLength(count);
});

test("a history whose messages lost their contents continues the call that asked the same", async () => {
  const first = chat("a", 0, [question], looked);
  const second = (text: Partial<Message>) =>
    chat("b", 10, [question, { role: "assistant", ...text }, { role: "user" }], words("assistant", "Yes."));
  expect(await replayed(document([first, second({})]))).toHaveLength(1);
  expect(await replayed(document([first, second(words("assistant", "No."))]))).toHaveLength(2);
});

/** The run's trace of a framework that records no contents. */
function bareTrace(output: number) {
  const conversation = { "gen_ai.conversation.id": "c" };
  const call = { ...chatAttributes("small"), ...conversation };
  const counts = tokenCounts(10, output);
  const workflow = {
    "gen_ai.operation.name": "invoke_workflow",
    "gen_ai.workflow.name": "desk",
    ...conversation,
  };
  const agent = { ...agentAttributes("desk"), ...conversation };
  const other = { trace: "e" };
  return [
    span("e", undefined, "invoke_workflow desk", 0, 20, workflow, other),
    span("f", "e", "invoke_agent desk", 0, 20, agent, other),
    span("g", "f", "chat small", 2, 4, { ...call, ...counts }, other),
  ];
}

test.each([
  ["equal", 2, 1],
  ["different", 3, 2],
])("a second trace without contents whose calls have %s counts: %i, %i runs", async (_, output, count) => {
  const attributes = agentAttributes("desk");
  const parent = span("a", undefined, "invoke_agent desk", 0, 20, attributes, { trace: "a" });
  const call = chat("b", 1, [question], words("assistant", "Yes."));
  const own = document([parent, { ...call, parentSpanId: parent["spanId"], traceId: parent["traceId"] }]);
  const other = document(bareTrace(output), { scope: "framework" });
  expect(await replayed(own, other)).toHaveLength(count);
});

test("a tool is known from a result with its name and id, if the history lacks the request", async () => {
  const result = {
    role: "tool",
    parts: [{ type: "tool_call_response", id: "v", name: "vaccine_status", response: "until May" }],
  };
  const runs = await replayed(
    document([
      chat("a", 0, [question], words("assistant", "")),
      chat("b", 10, [question, result], words("assistant", "Yes, until May.")),
      chat("c", 20, [question, result, words("user", "Thanks.")], words("assistant", "You are welcome.")),
    ]),
  );
  expect(runs.flatMap(({ tools }) => tools)).toMatchObject([{ name: "vaccine_status", result: "until May" }]);
});

test("an isolated instrumentation's trace of a run that the framework records is no run", async () => {
  const id = { "monocle_apptrace.version": "0.8" };
  const native = [
    agentSpan("n", undefined, "vet", 0, 40),
    span("o", "n", "chat small", 10, 30, {
      ...chatAttributes("small"),
      ...inputMessages(question),
      ...outputMessages(words("assistant", "Yes.")),
      ...tokenCounts(10, 2),
    }),
  ];
  const view = [
    span("w", undefined, "workflow", 1, 39, { ...id, "span.type": "workflow" }, { trace: "u" }),
    span("x", "w", "agent", 2, 38, { ...id, "span.type": "agentic.invocation" }, { trace: "u" }),
    span(
      "y",
      "x",
      "inference",
      12,
      28,
      { ...id, ...tokenCounts(10, 2), "span.type": "inference", "entity.2.name": "small" },
      { trace: "u" },
    ),
  ];
  const both = [document(native, { scope: "vet" }), document(view, { scope: "monocle_apptrace" })];
  for (const documents of [both, both.toReversed()])
    expect(await replayed(...documents)).toMatchObject([{ agent: "vet", llmCalls: 1 }]);
  expect(await replayed(document(view, { scope: "monocle_apptrace" }))).toHaveLength(1);
});

test("input tokens that OpenLIT estimates for LangChain in JavaScript are unknown", async () => {
  const call = chat("a", 0, [question], words("assistant", "Yes."), { "gen_ai.sdk.version": "1.15.0" });
  const [run] = await replayed(document([call], { scope: "@openlit/instrumentation-langchain" }));
  expect(run?.usage).toMatchObject({ input: null, output: 2 });
});
