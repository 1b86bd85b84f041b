import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { document, event, log, logDocument, span } from "../support/otlp.ts";
import { runJson } from "../../src/report/json/run-json.ts";
import { replayed } from "../support/replayed.ts";

/** Miniatures of the conventions that producers follow; the numbers are those of the project's survey of conventions. */

type Span = ReturnType<typeof span>;
type Attributes = NonNullable<Parameters<typeof span>[5]>;

interface Around {
  readonly scope?: string;
  readonly logs?: readonly Record<string, unknown>[];
}

async function run(spans: readonly Span[], { scope, logs = [] }: Around = {}): Promise<AgentRun> {
  const options = scope === undefined ? {} : { scope };
  const [one, ...others] = await replayed(document(spans, options), logDocument(logs, scope));
  if (one === undefined || others.length > 0) throw new Error(`${others.length + (one ? 1 : 0)} runs`);
  return one;
}

const json = JSON.stringify;
const question = [{ role: "user", parts: [{ type: "text", content: "Where is order 81?" }] }];
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
  "gen_ai.input.messages": json(question),
  "gen_ai.output.messages": json(asked),
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

  it("F2: messages as structured values", async () => {
    const structured = { ...plain, "gen_ai.input.messages": question, "gen_ai.output.messages": asked };
    expect(await run([chat(structured)])).toMatchObject(orderRun);
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

  const tool = (id: string, at: number, callId: string) =>
    span(id, "r", "execute_tool lookup_order", at, at + 5, {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "lookup_order",
      "gen_ai.tool.call.id": callId,
      "gen_ai.tool.call.arguments": '{"order":81}',
      "gen_ai.tool.call.result": '{"state":"shipped"}',
    });
  const agent = span("r", undefined, "invoke_agent clerk", 0, 100, {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "clerk",
  });
  const inAgent = (attributes: Attributes) => span("a", "r", "chat gpt-x", 1, 50, attributes);

  it("F4: a tool asked for and run is one call", async () => {
    const { tools } = await run([agent, inAgent(plain), tool("b", 51, "call_A1")]);
    expect(tools).toMatchObject([{ ...planned, executed: true, result: { state: "shipped" } }]);
  });

  it("F5: ids that stand for none do not make two calls one", async () => {
    const spans = [agent, tool("b", 51, "<not specified>"), tool("c", 60, "<not specified>")];
    expect((await run(spans)).tools).toHaveLength(2);
  });

  it("F24: a tool that failed behind a successful request is one failed call", async () => {
    const mcp = span("m", "b", "tools/call lookup_order", 52, 55, {
      "mcp.method.name": "tools/call",
      "gen_ai.tool.name": "lookup_order",
      "error.type": "tool_error",
    });
    const { tools } = await run([
      agent,
      inAgent(plain),
      { ...tool("b", 51, "call_A1"), status: { code: 1 } },
      mcp,
    ]);
    expect(tools).toHaveLength(1);
    expect(tools[0]?.error).not.toBeNull();
  });

  it("F26: two runs in one trace", async () => {
    const other = (id: string, at: number, text: string) => [
      span(id, "s", `invoke_agent ${id}`, at, at + 40, { "gen_ai.operation.name": "invoke_agent" }),
      span(`${id}c`, id, "chat gpt-x", at + 1, at + 30, {
        ...withoutContent,
        "gen_ai.input.messages": json([{ role: "user", parts: [{ type: "text", content: text }] }]),
        "gen_ai.output.messages": json([{ role: "assistant", parts: [{ type: "text", content: "Done." }] }]),
      }),
    ];
    const server = span("s", undefined, "POST /ask", 0, 100, { "http.request.method": "POST" }, { kind: 2 });
    const runs = await replayed(
      document([server, ...other("one", 1, "First?"), ...other("two", 50, "Second?")]),
    );
    expect(runs.map(({ query }) => query)).toEqual(["First?", "Second?"]);
  });

  it("F27: messages that were cut off are read as far as they go", async () => {
    const long = json([
      ...question,
      { role: "assistant", parts: [{ type: "text", content: "It is on its way" }] },
    ]);
    const cut = { ...plain, "gen_ai.input.messages": long.slice(0, -12) };
    expect(await run([chat(cut)])).toMatchObject({ query: "Where is order 81?", tools: [planned] });
  });

  it("F28: without content the structure is there, and what is missing is said", async () => {
    const last = { ...withoutContent, "gen_ai.response.finish_reasons": ["stop"] };
    const found = await run([agent, inAgent(last)]);
    expect(found).toMatchObject({ query: null, agent: "clerk", llmCalls: 1, usage: { input: 120 } });
    expect(found.missing.map(({ what }) => what)).toContain("query");
  });

  it("F31: content moved into one record a span", async () => {
    const body = {
      input: { messages: [{ role: "user", content: "Hi" }] },
      output: { messages: [{ role: "assistant", content: "Hello" }] },
    };
    const logs = [log("a", "opentelemetry.instrumentation.langchain", body)];
    const bare = { ...withoutContent, "gen_ai.response.finish_reasons": ["stop"] };
    expect(await run([chat(bare)], { logs })).toMatchObject({ query: "Hi", answer: "Hello" });
  });

  it("F32: a verdict's record is no message of the call that it judges", async () => {
    const record = log("a", "gen_ai.evaluation.result", "", {
      "gen_ai.evaluation.name": "helpfulness",
      "gen_ai.evaluation.score.value": 0.7,
      "gen_ai.response.id": "resp_1",
    });
    const found = await run([chat({ ...plain, "gen_ai.response.id": "resp_1" })], { logs: [record] });
    expect(found).toMatchObject({ ...orderRun, llmCalls: 1, llm: [{ responseId: "resp_1" }] });
  });
});

describe("deliveries", () => {
  const root = (end = 100) =>
    span("r", undefined, "invoke_agent clerk", 0, end, {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "clerk",
    });
  const child = span("a", "r", "chat gpt-x", 1, 50, plain);

  it("F25: children may come long before their root", async () => {
    const whole = await replayed(document([root(), child]));
    const late = await replayed(document([child]), document([root()]));
    expect(late.map((one) => runJson(one, true))).toEqual(whole.map((one) => runJson(one, true)));
    expect(whole).toMatchObject([{ agent: "clerk", tools: [planned] }]);
  });

  it("F30: a span that is sent twice counts once", async () => {
    const twice = await replayed(document([root(), child]), document([root(), child]));
    expect(twice).toMatchObject([{ llmCalls: 1, usage: { input: 120 } }]);
  });
});

describe("OpenInference", () => {
  const scope = "openinference.instrumentation.langchain";
  const llm: Attributes = {
    "openinference.span.kind": "LLM",
    "llm.model_name": "gpt-x",
    "llm.input_messages.1.message.role": "user",
    "llm.input_messages.1.message.content": "Where is order 81?",
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "lookup_order",
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"order":81}',
    "llm.token_count.prompt": 120,
    "llm.token_count.prompt_details.cache_read": 80,
    "llm.token_count.completion": 15,
  };
  const model = (attributes: Attributes) => span("a", undefined, "ChatOpenAI", 0, 50, attributes);

  it("F6: indexed messages that begin at 1", async () => {
    const found = await run([model(llm)], { scope });
    expect(found).toMatchObject({
      ...orderRun,
      tools: [{ name: "lookup_order", arguments: { order: 81 }, callId: null }],
    });
  });

  it("F7: the same counts under two names count once", async () => {
    const both = { ...llm, "gen_ai.usage.input_tokens": 120, "gen_ai.usage.output_tokens": 15 };
    expect((await run([model(both)], { scope })).usage).toMatchObject({ input: 120, output: 15 });
  });

  it("F8: a tool named after a hand-off is one", async () => {
    const spans = [
      span("r", undefined, "Triage Agent", 0, 100, {
        "openinference.span.kind": "AGENT",
        "input.value": "Money back",
      }),
      span("t", "r", "handoff to Refund Agent", 10, 20, {
        "openinference.span.kind": "TOOL",
        "input.value": "Triage Agent",
        "output.value": "Refund Agent",
      }),
    ];
    const found = await run(spans, { scope: "openinference.instrumentation.openai_agents" });
    expect(found.handoffs).toMatchObject([{ from: "Triage Agent", to: "Refund Agent" }]);
    expect(found.tools).toEqual([]);
  });

  it("F29: LangGraph's node and thread stand in the metadata", async () => {
    const metadata = json({
      langgraph_node: "triage",
      langgraph_step: 1,
      langgraph_triggers: ["branch:to:triage"],
      thread_id: "chat-19",
    });
    const found = await run([model({ ...llm, metadata })], { scope });
    expect(found.conversationId).toBe("chat-19");
  });
});

describe("OpenLLMetry", () => {
  it("F9: the indexed prompts of 2025", async () => {
    const found = await run([
      span("a", undefined, "openai.chat", 0, 50, {
        "gen_ai.system": "OpenAI",
        "llm.request.type": "chat",
        "gen_ai.request.model": "gpt-x",
        "gen_ai.prompt.0.role": "system",
        "gen_ai.prompt.0.content": "Be brief",
        "gen_ai.prompt.1.role": "user",
        "gen_ai.prompt.1.content": "Hi",
        "gen_ai.completion.0.content": "Hello",
        "gen_ai.completion.0.finish_reason": "stop",
        "gen_ai.usage.prompt_tokens": 9,
        "gen_ai.usage.completion_tokens": 2,
        "llm.usage.total_tokens": 11,
      }),
    ]);
    expect(found).toMatchObject({
      query: "Hi",
      answer: "Hello",
      systemInstructions: "Be brief",
      usage: { input: 9, output: 2 },
    });
  });

  it("F10: a LangChain tool in what LangChain wraps around it", async () => {
    const given = json({
      input_str: "{'order': 81}",
      inputs: { order: 81 },
      tags: [],
      metadata: { langgraph_node: "tools" },
      kwargs: {},
    });
    const gave = json({
      output: { content: "shipped", tool_call_id: "call_A1", status: "success" },
      kwargs: {},
    });
    const found = await run([
      span("r", undefined, "graph.workflow", 0, 90, {
        "traceloop.span.kind": "workflow",
        "traceloop.entity.input": "Hi",
      }),
      span("t", "r", "execute_tool lookup_order", 10, 20, {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "lookup_order",
        "gen_ai.tool.call.arguments": given,
        "gen_ai.tool.call.result": gave,
      }),
    ]);
    expect(found.tools).toMatchObject([{ arguments: { order: 81 }, result: "shipped", callId: "call_A1" }]);
  });
});

describe("the AI SDK", () => {
  it("F11: the outer span's usage is not the run's", async () => {
    const found = await run(
      [
        span("r", undefined, "ai.generateText", 0, 90, {
          "ai.operationId": "ai.generateText",
          "ai.prompt": '{"prompt":"Hi"}',
          "ai.response.text": "Hello",
          "ai.usage.inputTokens": 7,
        }),
        span("c", "r", "ai.generateText.doGenerate", 1, 50, {
          "ai.operationId": "ai.generateText.doGenerate",
          "ai.usage.inputTokens": 9,
          "ai.usage.outputTokens": 2,
          "ai.response.text": "Hello",
        }),
        span("t", "r", "ai.toolCall", 51, 60, {
          "ai.operationId": "ai.toolCall",
          "ai.toolCall.name": "lookup",
          "ai.toolCall.args": '{"order":81}',
        }),
      ],
      { scope: "ai" },
    );
    expect(found).toMatchObject({
      query: "Hi",
      answer: "Hello",
      usage: { input: 9 },
      tools: [{ arguments: { order: 81 } }],
    });
  });

  it("F12: version 7 says the same sum on three levels", async () => {
    const counts = (input: number, output: number) => ({
      "gen_ai.usage.input_tokens": input,
      "gen_ai.usage.output_tokens": output,
    });
    const of = (operation: string) => ({ "gen_ai.operation.name": operation, "gen_ai.request.model": "m" });
    const found = await run(
      [
        span("r", undefined, "invoke_agent m", 0, 90, { ...of("invoke_agent"), ...counts(30, 6) }),
        span("s1", "r", "step 1", 1, 40, { ...of("agent_step"), ...counts(12, 2) }),
        span("c1", "s1", "chat m", 2, 20, { ...of("chat"), ...counts(12, 2) }),
        span("t", "s1", "execute_tool lookup", 21, 30, {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "lookup",
        }),
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
});

describe("other dialects", () => {
  it("F13: LangSmith fingerprints its details, and may have a parent elsewhere", async () => {
    const found = await run([
      span("a", "elsewhere", "ChatOpenAI", 0, 50, {
        "langsmith.span.kind": "llm",
        "gen_ai.request.model": "gpt-x",
        "gen_ai.prompt": '{"messages":[{"role":"user","content":"Hi"}]}',
        "gen_ai.usage.input_tokens": 9,
        "gen_ai.usage.output_tokens": 1,
        "gen_ai.usage.input_token_details": "{'cache_read': 4}",
      }),
    ]);
    expect(found).toMatchObject({ query: "Hi", usage: { input: 9, cached: 4 } });
  });

  it("F14: Pydantic AI's first format: events in an attribute, usage twice", async () => {
    const events = json([
      { "event.name": "gen_ai.user.message", content: "Hi", role: "user", "gen_ai.message.index": 0 },
      { "event.name": "gen_ai.choice", index: 0, message: { role: "assistant", content: "Hello" } },
    ]);
    const counts = { "gen_ai.usage.input_tokens": 9, "gen_ai.usage.output_tokens": 2 };
    const found = await run(
      [
        span("r", undefined, "agent run", 0, 90, { agent_name: "clerk", model_name: "gpt-x", ...counts }),
        span("c", "r", "chat gpt-x", 1, 50, {
          "gen_ai.operation.name": "chat",
          "gen_ai.request.model": "gpt-x",
          events,
          ...counts,
        }),
      ],
      { scope: "pydantic-ai" },
    );
    expect(found).toMatchObject({
      agent: "clerk",
      query: "Hi",
      answer: "Hello",
      usage: { input: 9, output: 2 },
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

  it("F16: Claude Code counts cached tokens apart and tells of tools in log records", async () => {
    const found = await run(
      [
        span("r", undefined, "claude_code.interaction", 0, 90, {
          "span.type": "interaction",
          "session.id": "s1",
          user_prompt: "Hi",
        }),
        span("c", "r", "claude_code.llm_request", 1, 50, {
          "span.type": "llm_request",
          "session.id": "s1",
          model: "claude-x",
          input_tokens: 5,
          cache_read_tokens: 900,
          cache_creation_tokens: 100,
          output_tokens: 40,
          stop_reason: "tool_use",
        }),
        span("t", "r", "claude_code.tool", 51, 60, { "span.type": "tool", tool_name: "Bash" }),
        span("d", "r", "claude_code.llm_request", 61, 80, {
          "span.type": "llm_request",
          "session.id": "s1",
          model: "claude-x",
          input_tokens: 1,
          cache_read_tokens: 0,
          cache_creation_tokens: 0,
          output_tokens: 2,
          stop_reason: "end_turn",
        }),
      ],
      {
        scope: "com.anthropic.claude_code.tracing",
        logs: [
          log("t", undefined, "claude_code.tool_result", {
            "event.name": "tool_result",
            tool_use_id: "tu1",
            tool_name: "Bash",
            success: "false",
            error_type: "ShellError",
          }),
        ],
      },
    );
    expect(found.usage).toMatchObject({ input: 1006, output: 42, cached: 900 });
    expect(found.tools).toMatchObject([{ name: "Bash", callId: "tu1", error: "ShellError" }]);
  });

  const adkRequest = json({ model: "gemini-x", contents: [{ role: "user", parts: [{ text: "Refund?" }] }] });
  const adkCall = (part: unknown) => json({ content: { role: "model", parts: [{ function_call: part }] } });
  const adkAgent = span("r", undefined, "invoke_agent desk", 0, 90, {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "desk",
  });
  const counts = {
    "gen_ai.usage.input_tokens": 20,
    "gen_ai.usage.output_tokens": 5,
    "gen_ai.request.model": "gemini-x",
  };

  it("F17: ADK shows a call in two layers", async () => {
    const found = await run(
      [
        adkAgent,
        span("c", "r", "call_llm", 1, 50, {
          ...counts,
          "gcp.vertex.agent.llm_request": adkRequest,
          "gcp.vertex.agent.llm_response": adkCall({ name: "lookup", args: { order: 81 } }),
        }),
        span("g", "c", "generate_content gemini-x", 2, 49, {
          "gen_ai.operation.name": "generate_content",
          ...counts,
        }),
      ],
      { scope: "gcp.vertex.agent" },
    );
    expect(found).toMatchObject({
      llmCalls: 1,
      usage: { input: 20 },
      tools: [{ name: "lookup", arguments: { order: 81 } }],
    });
  });

  it("F18: ADK hands over by a tool", async () => {
    const found = await run(
      [
        adkAgent,
        span("c", "r", "call_llm", 1, 50, {
          ...counts,
          "gcp.vertex.agent.llm_request": adkRequest,
          "gcp.vertex.agent.llm_response": adkCall({
            name: "transfer_to_agent",
            args: { agent_name: "billing" },
          }),
        }),
        span("t", "r", "execute_tool transfer_to_agent", 51, 60, {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "transfer_to_agent",
          "gcp.vertex.agent.tool_call_args": '{"agent_name":"billing"}',
        }),
      ],
      { scope: "gcp.vertex.agent" },
    );
    expect(found.handoffs).toMatchObject([{ from: "desk", to: "billing" }]);
    expect(found.tools).toEqual([]);
  });

  it("F19: Strands writes messages as span events in Bedrock's notation", async () => {
    const events = [
      event("gen_ai.user.message", { content: '[{"text":"Hi"}]' }),
      event("gen_ai.choice", {
        message: json([{ toolUse: { toolUseId: "t1", name: "lookup_order", input: { order: 81 } } }]),
        finish_reason: "tool_use",
      }),
    ];
    const found = await run(
      [
        span(
          "a",
          undefined,
          "chat",
          0,
          50,
          { "gen_ai.operation.name": "chat", "gen_ai.system": "strands-agents", "gen_ai.request.model": "m" },
          { events },
        ),
      ],
      { scope: "strands.telemetry.tracer" },
    );
    expect(found).toMatchObject({
      query: "Hi",
      tools: [{ name: "lookup_order", arguments: { order: 81 }, callId: "t1" }],
    });
  });

  it("F20: Mastra's finish reasons are a list written as text", async () => {
    const found = await run([
      span("r", undefined, "agent run", 0, 90, {
        "mastra.span.type": "agent_run",
        "mastra.agent_run.input": '"Hi"',
      }),
      span("c", "r", "llm", 1, 50, {
        "mastra.span.type": "model_generation",
        "gen_ai.request.model": "m",
        "gen_ai.response.finish_reasons": '["stop"]',
        "gen_ai.usage.input_tokens": 3,
        "gen_ai.usage.output_tokens": 1,
      }),
    ]);
    expect(found.llm).toMatchObject([{ finishReason: "stop" }]);
  });

  it.each(["lk.function_tool", "lk.pii.function_tool"])(
    "F21: LiveKit's keys with and without `pii`: %s",
    async (prefix) => {
      const found = await run(
        [
          span("r", undefined, "agent_turn", 0, 90, { "lk.agent_label": "desk", "lk.user_input": "Hi" }),
          span("t", "r", "function_tool", 1, 9, {
            "lk.function_tool.name": "lookup",
            [`${prefix}.arguments`]: '{"order":81}',
            [`${prefix}.output`]: "shipped",
          }),
        ],
        { scope: "livekit-agents" },
      );
      expect(found.tools).toMatchObject([{ name: "lookup", arguments: { order: 81 }, result: "shipped" }]);
    },
  );

  it("F22: Genkit keeps all in JSON", async () => {
    const output = json({
      message: {
        role: "model",
        content: [{ toolRequest: { ref: "r1", name: "lookup_order", input: { order: 81 } } }],
      },
      finishReason: "stop",
      usage: { inputTokens: 3, outputTokens: 2 },
    });
    const found = await run([
      span("a", undefined, "googleai/g", 0, 50, {
        "genkit:metadata:subtype": "model",
        "genkit:name": "googleai/g",
        "genkit:output": output,
      }),
    ]);
    expect(found).toMatchObject({
      usage: { input: 3, output: 2 },
      tools: [{ name: "lookup_order", callId: "r1" }],
    });
  });

  it("F23: LiteLLM's raw request is the same call, and its cost counts once", async () => {
    const found = await run(
      [
        span("a", undefined, "litellm_request", 0, 50, {
          ...withoutContent,
          "gen_ai.cost.total_cost": 0.002,
          "gen_ai.input.messages": json(question),
          "gen_ai.output.messages": json([
            {
              role: "assistant",
              parts: [],
              tool_calls: [
                {
                  id: "call_A1",
                  type: "function",
                  function: { name: "lookup_order", arguments: '{"order":81}' },
                },
              ],
            },
          ]),
        }),
        span("b", "a", "raw_gen_ai_request", 1, 49, { "llm.openai.messages": "[]" }),
      ],
      { scope: "litellm" },
    );
    expect(found).toMatchObject({ ...orderRun, llmCalls: 1, costUsd: 0.002 });
  });
});
