import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import {
  agentSpan,
  inputMessages,
  outputMessages,
  tokenCounts,
  toolAttributes,
  toolSpan,
  words,
} from "../support/genai.ts";
import { type Attributes, document, event, log, logDocument, span, type Span } from "../support/otlp.ts";
import { replayed, replayedOne } from "../support/replayed.ts";

/** Miniatures of OpenTelemetry's conventions, by the numbers of the project's survey; other producers are in the recordings. */

interface Around {
  readonly scope?: string;
  readonly logs?: readonly Record<string, unknown>[];
}

function run(spans: readonly Span[], { scope, logs = [] }: Around = {}): Promise<AgentRun> {
  const options = scope === undefined ? {} : { scope };
  return replayedOne(document(spans, options), logDocument(logs, scope));
}
const question = [words("user", "Where is order 81?")];
const asked = [
  {
    role: "assistant",
    parts: [{ type: "tool_call", id: "call_A1", name: "lookup_order", arguments: { order: 81 } }],
    finish_reason: "tool_call",
  },
];
const withoutContent: Attributes = {
  "gen_ai.operation.name": "chat",
  "gen_ai.provider.name": "openai",
  "gen_ai.request.model": "gpt-x",
  "gen_ai.response.model": "gpt-x-0715",
  "gen_ai.response.finish_reasons": ["tool_call"],
  "gen_ai.usage.input_tokens": 120,
  "gen_ai.usage.cache_read.input_tokens": 80,
  "gen_ai.usage.output_tokens": 15,
};
const plain: Attributes = {
  ...withoutContent,
  ...inputMessages(...question),
  ...outputMessages(...asked),
};
const chat = (attributes: Attributes) => span("a", undefined, "chat gpt-x", 0, 50, attributes, { kind: 3 });

const planned = { name: "lookup_order", arguments: { order: 81 }, callId: "call_A1" };
const orderRun = {
  query: "Where is order 81?",
  usage: { input: 120, output: 15, cached: 80 },
  totalTokens: 135,
  tools: [planned],
};

describe("OpenTelemetry's conventions", () => {
  it("F1: the newest attributes", async () => {
    expect(await run([chat(plain)])).toMatchObject({
      ...orderRun,
      models: ["gpt-x"],
      responseModels: ["gpt-x-0715"],
    });
  });

  const call = {
    id: "call_A1",
    type: "function",
    function: { name: "lookup_order", arguments: '{"order":81}' },
  };
  const user = { content: "Where is order 81?" };
  const choice = { index: 0, finish_reason: "tool_calls" };
  it.each([
    ["calls inside the message", { ...choice, message: { tool_calls: [call] } }, true],
    ["calls beside the message", { ...choice, message: {}, tool_calls: [call] }, true],
    ["the name in an attribute", { ...choice, message: { tool_calls: [call] } }, false],
  ])("F3: the old message events: %s", async (_, body, named) => {
    const record = (name: string, content: Parameters<typeof log>[2]) =>
      log("a", named ? name : undefined, content, named ? {} : { "event.name": name });
    const logs = logDocument([record("gen_ai.user.message", user), record("gen_ai.choice", body)]);
    const spans = document([chat(withoutContent)]);
    for (const order of [
      [spans, logs],
      [logs, spans],
    ]) {
      const runs = await replayed(...order);
      expect(runs).toHaveLength(1);
      expect(runs[0]).toMatchObject(orderRun);
    }
  });

  it("F3: digits in a message event stay the text", async () => {
    const events = [event("gen_ai.user.message", { content: "2.50" })];
    expect((await run([{ ...chat(withoutContent), events }])).query).toBe("2.50");
  });

  const tool = (id: string, at: number, callId: string) =>
    toolSpan(id, "r", "lookup_order", at, {
      ...toolAttributes("lookup_order", callId),
      "gen_ai.tool.call.arguments": '{"order":81}',
      "gen_ai.tool.call.result": '{"state":"shipped"}',
    });
  const agent = agentSpan("r", undefined, "clerk", 0, 100);

  it("F5: ids that stand for none do not make two calls one", async () => {
    const spans = [agent, tool("b", 51, "<not specified>"), tool("c", 60, "<not specified>")];
    expect((await run(spans)).tools).toHaveLength(2);
  });
});

it("F12: version 7 says the same sum on three levels", async () => {
  const counts = (input: number, output: number) => tokenCounts(input, output);
  const of = (operation: string) => ({ "gen_ai.operation.name": operation, "gen_ai.request.model": "m" });
  const found = await run(
    [
      span("r", undefined, "invoke_agent m", 0, 90, { ...of("invoke_agent"), ...counts(30, 6) }),
      span("s1", "r", "step 1", 1, 40, { ...of("agent_step"), ...counts(12, 2) }),
      span("c1", "s1", "chat m", 2, 20, { ...of("chat"), ...counts(12, 2) }),
      span("t", "s1", "execute_tool lookup", 21, 30, toolAttributes("lookup")),
      span("s2", "r", "step 2", 41, 80, { ...of("agent_step"), ...counts(18, 4) }),
      span("c2", "s2", "chat m", 42, 70, { ...of("chat"), ...counts(18, 4) }),
    ],
    { scope: "gen_ai" },
  );
  expect(found).toMatchObject({
    llmCalls: 2,
    usage: { input: 30, output: 6 },
    tools: [{ name: "lookup" }],
  });
});

it("F15: Logfire's pending copy is no span", async () => {
  const attributes = { ...plain, "logfire.msg": "chat" };
  const found = await run([
    chat(attributes),
    span("p", "a", "chat gpt-x", 0, 0, { ...attributes, "logfire.span_type": "pending_span" }),
  ]);
  expect(found).toMatchObject({ ...orderRun, llmCalls: 1 });
});
