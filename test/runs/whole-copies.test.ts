import { describe, expect, test } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { document, event, span, type Span } from "../support/otlp.ts";
import { replayedOne } from "../support/replayed.ts";

/*
 * Telemetry contains several copies of a text: in spans, in messages of later calls, in events, and in spans of other layers. If one copy is
 * truncated, a complete copy takes precedence, wherever and in whichever order the copies are.
 */

const begin = "the line of the harbour is long ".repeat(8);
const cutText = `${begin.slice(0, 189)}...[truncated]`;
const wholeText = `${begin}and ends at the mole`;
const wholeArguments = '{"place":"harbour","line":"long"}';
const cutArguments = '{"place":"harbour","line":"lo';

type Json = Readonly<Record<string, unknown>>;

const question = { role: "user", parts: [{ type: "text", content: "How long is the line?" }] };
const request = (args: string): Json => ({
  role: "assistant",
  parts: [{ type: "tool_call", id: "call_1", name: "measure", arguments: args }],
});
const result = (response: string): Json => ({
  role: "tool",
  parts: [{ type: "tool_call_response", id: "call_1", response }],
});
const words = (content: string): Json => ({
  role: "assistant",
  parts: [{ type: "text", content }],
  finish_reason: "stop",
});

function call(id: string, at: number, input: readonly Json[], output: readonly Json[], parent = "r"): Span {
  return span(id, parent, "chat gpt-4o-mini", at, at + 10, {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "gpt-4o-mini",
    "gen_ai.input.messages": JSON.stringify(input),
    "gen_ai.output.messages": JSON.stringify(output),
    "gen_ai.usage.input_tokens": 10 + at,
    "gen_ai.usage.output_tokens": 5,
  });
}

const agent = (more: Readonly<Record<string, string>> = {}): Span =>
  span("r", undefined, "invoke_agent surveyor", 0, 100, {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "surveyor",
    ...more,
  });

const tool = (more: Readonly<Record<string, string>>): Span =>
  span("u", "r", "execute_tool measure", 15, 20, {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "measure",
    "gen_ai.tool.call.id": "call_1",
    ...more,
  });

/** Both orders of a truncated and a complete copy. */
const orders = (cut: string, whole: string) =>
  [
    ["truncated first", cut, whole],
    ["complete first", whole, cut],
  ] as const;

/** Three calls. The histories of the second and the third contain a copy of the request and of the result. */
function threeCalls(args: readonly [string, string, string], results: readonly [string, string]): Span[] {
  return [
    call("a", 2, [question], [request(args[0])]),
    call("b", 30, [question, request(args[1]), result(results[0])], [words("I look again.")]),
    call("c", 50, [question, request(args[2]), result(results[1])], [words("It is long.")]),
  ];
}

async function runOf(...spans: readonly Span[]): Promise<AgentRun> {
  return replayedOne(document([agent(), ...spans]));
}

describe.each(orders(cutText, wholeText))("a tool's result, %s", (_, first, second) => {
  test("in the histories of two calls", async () => {
    const run = await runOf(...threeCalls([wholeArguments, wholeArguments, wholeArguments], [first, second]));
    expect(run.tools).toMatchObject([{ name: "measure", result: wholeText }]);
  });

  test("in the tool's span and in a history", async () => {
    const run = await runOf(
      tool({ "gen_ai.tool.call.result": first }),
      ...threeCalls([wholeArguments, wholeArguments, wholeArguments], [second, second]),
    );
    expect(run.tools).toMatchObject([{ name: "measure", result: wholeText }]);
  });

  test("in two attributes of the tool's span", async () => {
    const run = await runOf(
      tool({ "gen_ai.tool.call.result": first, "output.value": second }),
      call("a", 2, [question], [request(wholeArguments)]),
      call("b", 30, [question], [words("It is long.")]),
    );
    expect(run.tools).toMatchObject([{ name: "measure", result: wholeText }]);
  });
});

describe.each(orders(cutArguments, wholeArguments))("a tool's arguments, %s", (_, first, second) => {
  test("in the request and in a history", async () => {
    const run = await runOf(...threeCalls([first, second, second], [wholeText, wholeText]));
    expect(run.tools).toMatchObject([{ name: "measure", arguments: JSON.parse(wholeArguments) as Json }]);
  });

  test("in the histories of two calls", async () => {
    const [, ...later] = threeCalls([first, first, second], [wholeText, wholeText]);
    const run = await runOf(...later);
    expect(run.tools).toMatchObject([{ name: "measure", arguments: JSON.parse(wholeArguments) as Json }]);
  });

  test("in the request and in the tool's span", async () => {
    const run = await runOf(
      tool({ "gen_ai.tool.call.arguments": second }),
      ...threeCalls([first, first, first], [wholeText, wholeText]),
    );
    expect(run.tools).toMatchObject([{ name: "measure", arguments: JSON.parse(wholeArguments) as Json }]);
  });
});

describe.each(orders(cutText, wholeText))("an answer, %s", (_, first, second) => {
  test("in the call's span and in the agent's", async () => {
    const output = JSON.stringify([words(second)]);
    const run = await replayedOne(
      document([agent({ "gen_ai.output.messages": output }), call("a", 2, [question], [words(first)])]),
    );
    expect(run.answer).toBe(wholeText);
  });

  test("in two layers of a call", async () => {
    const run = await runOf(
      call("o", 2, [question], [words(first)]),
      span("i", "o", "chat gpt-4o-mini", 3, 11, {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "gpt-4o-mini",
        "gen_ai.output.messages": JSON.stringify([words(second)]),
      }),
    );
    expect(run).toMatchObject({ answer: wholeText, llmCalls: 1 });
  });

  test("in an attribute and in an event of the call's span", async () => {
    const output = JSON.stringify([words(second)]);
    const details = event(
      "gen_ai.client.inference.operation.details",
      { "gen_ai.output.messages": output },
      12,
    );
    const run = await runOf({ ...call("a", 2, [question], [words(first)]), events: [details] });
    expect(run.answer).toBe(wholeText);
  });
});

test("of two truncated copies of a result, none is the result", async () => {
  const args = [wholeArguments, wholeArguments, wholeArguments] as const;
  const run = await runOf(...threeCalls(args, [cutText, `${cutText.slice(0, 80)}...[truncated]`]));
  expect(run.tools).toMatchObject([{ name: "measure", result: undefined }]);
});

test("a complete text in another layer does not replace a truncated text with a tool request", async () => {
  const both = {
    role: "assistant",
    parts: [
      { type: "text", content: cutText },
      { type: "tool_call", id: "call_1", name: "measure", arguments: wholeArguments },
    ],
  };
  const outer = span("o", "r", "ChatOpenAI", 1, 14, {
    "openinference.span.kind": "LLM",
    "llm.model_name": "gpt-4o-mini",
    "output.value": "I look.",
  });
  const run = await runOf(
    outer,
    call("a", 2, [question], [both], "o"),
    call("b", 30, [question], [words("It is long.")]),
  );
  expect(run.tools).toMatchObject([{ name: "measure" }]);
});

test("another text in another layer does not replace a truncated answer", async () => {
  const outer = span("o", "r", "ChatOpenAI", 1, 14, {
    "openinference.span.kind": "LLM",
    "llm.model_name": "gpt-4o-mini",
    "output.value": "Checked and filed.",
  });
  const run = await runOf(outer, call("a", 2, [question], [words(cutText)], "o"));
  expect(run.answer).toBeNull();
});

test("the result of another call with the same id does not replace a truncated result", async () => {
  const run = await runOf(
    ...threeCalls([wholeArguments, wholeArguments, wholeArguments], [cutText, "It rains."]),
  );
  expect(run.tools).toMatchObject([{ name: "measure", result: undefined }]);
});
