import { describe, expect, it } from "vitest";
import { isDetail } from "../../src/report/render/commands/run-tree.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { document, event, log, logDocument, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** Habits of producers that test/runs/habits.md numbers; J, P and Q are its three lists. */

type Span = ReturnType<typeof span>;
type Attributes = NonNullable<Parameters<typeof span>[5]>;

const json = JSON.stringify;
const text = (role: string, content: string) => ({ role, parts: [{ type: "text", content }] });
const asks = (id: string, name = "gauge", args: object = { station: "north" }) => ({
  role: "assistant",
  parts: [{ type: "tool_call", id, name, arguments: args }],
});
const returns = (id: string, response: string) => ({
  role: "tool",
  parts: [{ type: "tool_call_response", id, response }],
});
const question = text("user", "How high is the river?");

function chat(
  id: string,
  parent: string | undefined,
  at: number,
  inputs: readonly object[],
  output: object | undefined,
  more: {
    readonly attributes?: Attributes;
    readonly trace?: string;
    readonly rest?: Readonly<Record<string, unknown>>;
  } = {},
): Span {
  const attributes = {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "small",
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 2,
    "gen_ai.input.messages": json(inputs),
    ...(output === undefined ? {} : { "gen_ai.output.messages": json([output]) }),
    ...more.attributes,
  };
  const rest = { ...(more.trace === undefined ? {} : { trace: more.trace }), ...more.rest };
  return span(id, parent, "chat small", at, at + 8, attributes, rest);
}

const agent = (
  id: string,
  name: string,
  at: number,
  end: number,
  parent?: string,
  attributes: Attributes = {},
) =>
  span(id, parent, `invoke_agent ${name}`, at, end, {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": name,
    ...attributes,
  });
const tool = (
  id: string,
  parent: string,
  at: number,
  attributes: Attributes = {},
  rest: Readonly<Record<string, unknown>> = {},
) =>
  span(
    id,
    parent,
    "execute_tool gauge",
    at,
    at + 5,
    { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "gauge", ...attributes },
    rest,
  );

async function run(...spans: readonly Span[]): Promise<AgentRun> {
  const runs = await replayed(document(spans));
  const [one] = runs;
  if (one === undefined || runs.length > 1) throw new Error(`${runs.length} runs`);
  return one;
}

const done = text("assistant", "3.1 metres.");
const history = [question, asks("c1"), returns("c1", "3.1")];

describe("where a run begins and ends", () => {
  it("J1: calls in traces of their own are one run by what they repeat", async () => {
    const runs = await replayed(
      document([chat("a", undefined, 0, [question], asks("c1"), { trace: "t1" })]),
      document([chat("b", undefined, 20, history, done, { trace: "t2" })]),
    );
    expect(runs).toMatchObject([
      { query: "How high is the river?", answer: "3.1 metres.", llmCalls: 2, tools: [{ result: "3.1" }] },
    ]);
  });

  it("J2: a server above the agent names nobody", async () => {
    const server = span("s", undefined, "POST /ask", 0, 99, { "http.request.method": "POST" }, { kind: 2 });
    const found = await run(server, agent("r", "watcher", 1, 90, "s"), chat("a", "r", 2, [question], done));
    expect(found.agent).toBe("watcher");
  });

  it("J5: a tool's span may come from another service", async () => {
    const served = document([tool("t", "a", 12, { "gen_ai.tool.call.result": "3.1" })], {
      resource: { "service.name": "tools" },
    });
    const runs = await replayed(
      served,
      document([
        agent("r", "watcher", 0, 90),
        chat("a", "r", 2, [question], asks("c1")),
        chat("b", "r", 30, history, done),
      ]),
    );
    expect(runs).toMatchObject([{ agent: "watcher", tools: [{ name: "gauge", result: "3.1" }] }]);
  });

  it("J6: turns of one session are runs of their own", async () => {
    const turn = (trace: string, at: number, words: string) => [
      span(
        `r${trace}`,
        undefined,
        "invoke_agent watcher",
        at,
        at + 50,
        { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "watcher", "session.id": "s" },
        { trace },
      ),
      chat(`c${trace}`, `r${trace}`, at + 1, [text("user", words)], text("assistant", "Yes."), { trace }),
    ];
    const runs = await replayed(document([...turn("t1", 0, "First?"), ...turn("t2", 100, "Second?")]));
    expect(runs.map(({ query }) => query)).toEqual(["First?", "Second?"]);
  });

  it("P1: what only builds an agent is no run", async () => {
    const built = span(
      "x",
      undefined,
      "create_agent watcher",
      0,
      1,
      { "gen_ai.operation.name": "create_agent", "gen_ai.agent.name": "watcher" },
      { trace: "t0" },
    );
    const runs = await replayed(
      document([built, agent("r", "watcher", 5, 90), chat("a", "r", 6, [question], done)]),
    );
    expect(runs).toHaveLength(1);
  });

  it("Q1: nor is the building of a workflow", async () => {
    const built = document(
      [span("x", undefined, "workflow.build", 0, 1, { "workflow.id": "w" }, { trace: "t0" })],
      { scope: "agent_framework" },
    );
    expect(
      await replayed(built, document([agent("r", "watcher", 5, 90), chat("a", "r", 6, [question], done)])),
    ).toHaveLength(1);
  });

  it("P2: a lower layer's span of the same call, in a trace of its own, is no second run", async () => {
    const copy = span(
      "x",
      undefined,
      "ChatCompletion",
      3,
      9,
      {
        "openinference.span.kind": "LLM",
        "llm.model_name": "small",
        "llm.token_count.prompt": 10,
        "llm.token_count.completion": 2,
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.content": "3.1 metres.",
      },
      { trace: "t2" },
    );
    const runs = await replayed(
      document([agent("r", "watcher", 0, 90), chat("a", "r", 2, [question], done)]),
      document([copy], { scope: "openinference.instrumentation.openai" }),
    );
    expect(runs).toMatchObject([{ llmCalls: 1, usage: { input: 10 } }]);
  });

  it("P4: a run that stops at a tool call is not whole", async () => {
    const found = await run(agent("r", "watcher", 0, 90), chat("a", "r", 2, [question], asks("c1")));
    expect(found).toMatchObject({ complete: false, answer: null });
  });

  it("P7: an agent that failed under a root that is well has failed", async () => {
    const inner = {
      ...agent("b", "watcher", 2, 80, "r"),
      status: { code: 2, message: "context length exceeded" },
    };
    const failed = chat("a", "b", 3, [question], undefined, {
      attributes: { "gen_ai.usage.input_tokens": null, "gen_ai.usage.output_tokens": null },
      rest: { status: { code: 2, message: "context length exceeded" } },
    });
    const found = await run(span("r", undefined, "Agent workflow", 0, 90, {}), inner, failed);
    expect(found).toMatchObject({ status: "error", answer: null });
  });
});

describe("what is a model call", () => {
  it("J12: an attempt that was answered 429 is no call", async () => {
    const attempt = span(
      "x",
      "r",
      "chat small",
      1,
      2,
      { "gen_ai.operation.name": "chat", "gen_ai.request.model": "small" },
      { status: { code: 2, message: "429 rate limit" } },
    );
    const found = await run(agent("r", "watcher", 0, 90), attempt, chat("a", "r", 5, [question], done));
    expect(found).toMatchObject({ llmCalls: 1, status: "ok" });
  });

  it("J13, P25: nothing in and nothing out of a call that answered is unknown", async () => {
    const zero = { "gen_ai.usage.input_tokens": 0, "gen_ai.usage.output_tokens": 0 };
    const found = await run(
      agent("r", "watcher", 0, 90),
      chat("a", "r", 2, [question], done, { attributes: zero }),
    );
    expect(found.usage).toMatchObject({ input: null, output: null });
  });

  it("J16, P31: an embedding or retriever below a tool is no tool call", async () => {
    const found = await run(
      agent("r", "watcher", 0, 90),
      chat("a", "r", 2, [question], asks("c1")),
      tool("t", "r", 12, { "gen_ai.tool.call.id": "c1", "gen_ai.tool.call.result": "3.1" }),
      span("e", "t", "embeddings tiny", 13, 14, {
        "gen_ai.operation.name": "embeddings",
        "gen_ai.request.model": "tiny",
        "gen_ai.usage.input_tokens": 7,
      }),
      span("v", "t", "VectorStoreRetriever", 13, 15, {
        "langsmith.span.kind": "retriever",
        "gen_ai.operation.name": "embeddings",
      }),
      chat("b", "r", 30, history, done),
    );
    expect(found).toMatchObject({ llmCalls: 2, usage: { input: 20 } });
    expect(found.tools).toHaveLength(1);
  });

  it("P10: a call that was cancelled before it was sent is none", async () => {
    const found = await run(
      agent("r", "watcher", 0, 10),
      span("x", "r", "response", 1, 450, { "openinference.span.kind": "LLM" }),
    );
    expect(found.llm).toEqual([]);
  });

  it("P24: usage on a chain around the call is the call's", async () => {
    const usage = { "gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 2 };
    const found = await run(
      agent("r", "watcher", 0, 90),
      span("s", "r", "RunnableSequence", 1, 20, { "langsmith.span.kind": "chain", ...usage }),
      chat("a", "s", 2, [question], done, { attributes: { "langsmith.span.kind": "llm" } }),
    );
    expect(found.usage).toMatchObject({ input: 10, output: 2 });
  });

  it("P26: cached tokens that are only written when there are any are summed", async () => {
    const cached = { "gen_ai.usage.cache_read.input_tokens": 4 };
    const found = await run(
      agent("r", "watcher", 0, 90),
      chat("a", "r", 2, [question], asks("c1")),
      chat("b", "r", 30, history, done, { attributes: cached }),
    );
    expect(found.usage.cached).toBe(4);
  });

  it("P33: a record that repeats the call's counts does not double them", async () => {
    const bare = span("a", undefined, "chat small", 0, 9, {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "small",
      "gen_ai.usage.input_tokens": 10,
      "gen_ai.usage.output_tokens": 2,
    });
    const details = log(
      "a",
      "gen_ai.client.inference.operation.details",
      {},
      {
        "gen_ai.usage.input_tokens": 10,
        "gen_ai.input.messages": [question],
        "gen_ai.output.messages": [done],
      },
    );
    const [found] = await replayed(document([bare]), logDocument([details]));
    expect(found).toMatchObject({
      query: "How high is the river?",
      answer: "3.1 metres.",
      usage: { input: 10 },
    });
  });
});

describe("what is a tool call", () => {
  it("J19: an exception under a good status is a failure of the tool", async () => {
    const events = [event("exception", { "exception.type": "IOError", "exception.message": "no line" })];
    const found = await run(
      agent("r", "watcher", 0, 90),
      chat("a", "r", 2, [question], asks("c1")),
      tool("t", "r", 12, { "gen_ai.tool.call.id": "c1" }, { events, status: { code: 1 } }),
      chat("b", "r", 30, history, done),
    );
    expect(found).toMatchObject({ status: "ok", tools: [{ error: "no line" }] });
  });

  it("J20: a span of merged calls is none", async () => {
    const merged = span("m", "r", "execute_tool (merged tools)", 20, 21, {
      "gcp.vertex.agent.event_id": "e",
      "gen_ai.operation.name": "execute_tool",
    });
    const found = await run(
      agent("r", "watcher", 0, 90),
      chat("a", "r", 2, [question], asks("c1")),
      tool("t", "r", 12, { "gen_ai.tool.call.id": "c1" }),
      merged,
      chat("b", "r", 30, history, done),
    );
    expect(found.tools).toHaveLength(1);
  });

  it("J22, Q19: parallel calls keep the order in which the model asked", async () => {
    const both = { role: "assistant", parts: [...asks("c1").parts, ...asks("c2", "clock", {}).parts] };
    const found = await run(
      agent("r", "watcher", 0, 90),
      chat("a", "r", 2, [question], both),
      span("y", "r", "execute_tool clock", 12, 13, {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "clock",
        "gen_ai.tool.call.id": "c2",
      }),
      tool("t", "r", 14, { "gen_ai.tool.call.id": "c1" }),
      chat("b", "r", 30, [question, both, returns("c1", "3"), returns("c2", "noon")], done),
    );
    expect(found.tools.map(({ name }) => name)).toEqual(["gauge", "clock"]);
  });

  it.each([
    ["execute_tool gauge", { "gen_ai.operation.name": "execute_tool" }],
    ["gauge.tool", { "traceloop.span.kind": "tool" }],
    ["anthropic.custom_tool_use gauge", { "anthropic.request.id": "q" }],
    ["tools/call gauge", { "mcp.method.name": "tools/call" }],
  ])("J23: the tool's name in the span's: %s", async (name, attributes: Attributes) => {
    const found = await run(agent("r", "watcher", 0, 90), span("t", "r", name, 5, 9, attributes));
    expect(found.tools).toMatchObject([{ name: "gauge" }]);
  });

  it("P19: calls printed as Python objects are calls", async () => {
    const printed = text(
      "assistant",
      "ResponseFunctionToolCall(arguments='{\"station\":\"north\"}', call_id='c1', name='gauge', type='function_call')",
    );
    const found = await run(
      agent("r", "watcher", 0, 90),
      chat("a", "r", 2, [question], printed),
      chat("b", "r", 30, [question], done),
    );
    expect(found.tools).toMatchObject([{ name: "gauge", arguments: { station: "north" } }]);
  });

  it("P23: a name that was scrubbed is read from the message that has it still", async () => {
    const scrubbed = span("t", "r", "Function: {name}", 12, 15, {
      "logfire.msg_template": "Function: {name}",
      "logfire.msg": "Function: gauge",
      name: "[Scrubbed due to 'password']",
      output: "3.1",
    });
    const found = await run(agent("r", "watcher", 0, 90), scrubbed);
    expect(found.tools).toMatchObject([{ name: "gauge", result: "3.1" }]);
  });

  it("Q14: a tool that was asked for and never ran is told from one that did", async () => {
    const later = [
      question,
      asks("c9", "siren", {}),
      returns("c9", "Unknown tool name: 'siren'. Available tools: gauge"),
    ];
    const found = await run(
      agent("r", "watcher", 0, 90),
      chat("a", "r", 2, [question], asks("c9", "siren", {})),
      chat("b", "r", 30, later, done),
    );
    expect(found.tools).toMatchObject([{ name: "siren" }]);
    expect(found.status).toBe("ok");
  });
});

describe("agents and hand-offs", () => {
  it("J25: an exception by which LangGraph hands over is no error", async () => {
    const events = [
      event("exception", { "exception.type": "ParentCommand", "exception.message": "Command(goto='b')" }),
    ];
    const desk = {
      ...agent("x", "desk", 1, 40, "r"),
      events,
      status: { code: 2, message: "ParentCommand(Command(goto='river'))" },
    };
    const found = await run(
      agent("r", "office", 0, 99),
      desk,
      chat("a", "x", 2, [question], asks("h1", "transfer_to_river", {})),
      agent("y", "river", 41, 90, "r"),
      chat("b", "y", 42, [question], done),
    );
    expect(found).toMatchObject({
      status: "ok",
      finalAgent: "river",
      handoffs: [{ from: "desk", to: "river" }],
    });
  });

  it("P8: names that a framework gives to any agent are nobody's", async () => {
    const found = await run(
      agent("r", "OpenAI Agent", 0, 99),
      agent("x", "watcher", 1, 90, "r"),
      chat("a", "x", 2, [question], done),
    );
    expect(found.agent).toBe("watcher");
  });

  it("P12: a tool with `agent` in its name is a tool, whatever its kind", async () => {
    const found = await run(
      agent("r", "watcher", 0, 90),
      span("t", "r", "ask_agent_gauge", 5, 9, {
        "openinference.span.kind": "AGENT",
        "tool.name": "agent_gauge",
        "input.value": "{}",
        "output.value": "3.1",
      }),
    );
    expect(found.tools).toMatchObject([{ name: "agent_gauge" }]);
  });

  it("P14: a hand-off's span may name both in attributes of its own", async () => {
    const found = await run(
      agent("r", "desk", 0, 99),
      span("h", "r", "agent_handoff", 5, 6, {
        "gen_ai.operation.name": "agent_handoff",
        "gen_ai.handoff.from_agent": "desk",
        "gen_ai.handoff.to_agent": "river",
      }),
      agent("y", "river", 7, 90, "r"),
      chat("b", "y", 42, [question], done),
    );
    expect(found.handoffs).toMatchObject([{ from: "desk", to: "river" }]);
  });

  it("J24: with contents off, the agent that a transfer hands over to is the one that starts next", async () => {
    const bare = { "gen_ai.operation.name": "chat", "gen_ai.request.model": "small" };
    const transfer = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "transfer_to_agent",
    };
    const found = await run(
      span("w", undefined, "invoke_workflow desk", 0, 99, { "gen_ai.operation.name": "invoke_workflow" }),
      agent("r", "desk", 1, 40, "w"),
      span("a", "r", "chat small", 2, 20, bare),
      span("t", "r", "execute_tool transfer_to_agent", 21, 30, transfer),
      agent("y", "river", 41, 90, "w"),
      span("b", "y", "chat small", 42, 80, bare),
    );
    expect(found.handoffs).toMatchObject([{ from: "desk", to: "river", kind: "tool" }]);
    expect(found.tools).toEqual([]);
  });

  it("P35: what a model said is its words, whatever role it is given", async () => {
    const strange = { role: "unknown", parts: [{ type: "text", content: "2 m." }] };
    const found = await run(agent("r", "desk", 0, 99), chat("a", "r", 2, [question], strange));
    expect(found.answer).toBe("2 m.");
  });

  it("P29: an agent that names its model and says nothing made calls that nobody shows", async () => {
    const model = { "gen_ai.request.model": "small", "gen_ai.input.messages": json([question]) };
    const found = await run(agent("r", "desk", 0, 99, undefined, model));
    expect(found).toMatchObject({ llmCalls: null, usage: { input: null }, answer: null });
  });

  it("Q5: a tool that ran for nobody in the data answered nobody", async () => {
    const ran = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.result": "2 m" };
    const found = await run(span("t", undefined, "execute_tool gauge", 0, 9, ran));
    expect(found).toMatchObject({ tools: [{ name: "gauge", result: "2 m" }], answer: null });
  });

  it("P8: a graph's node that was handed over to is the agent at work", async () => {
    const node = { "metadata.langgraph_node": "RiverDesk" };
    const transfer = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "transfer_to_riverdesk",
      "gen_ai.tool.call.id": "h1",
      "metadata.langgraph.goto": "RiverDesk",
    };
    const found = await run(
      agent("r", "desk", 0, 99),
      chat("a", "r", 2, [question], asks("h1", "transfer_to_riverdesk", {})),
      span("t", "r", "execute_tool transfer_to_riverdesk", 12, 14, transfer),
      agent("y", "call_agent", 20, 80, "r", node),
      chat("b", "y", 22, [question], asks("c1")),
      tool("g", "y", 32, { "gen_ai.tool.name": "gauge", "gen_ai.tool.call.id": "c1" }),
      chat("c", "y", 42, [question, asks("c1"), returns("c1", "2 m")], done),
    );
    expect(found.handoffs).toMatchObject([{ from: "desk", to: "RiverDesk" }]);
    expect(found.tools).toMatchObject([{ name: "gauge", agent: "RiverDesk" }]);
  });

  it("Q8: a step that names a tool and what it was given is that tool's", async () => {
    const found = await run(
      span("w", undefined, "Desk.workflow", 0, 99, { "traceloop.span.kind": "workflow" }),
      span("t", "w", "step.task", 5, 9, {
        "traceloop.span.kind": "task",
        "tool.name": "gauge",
        "tool.arguments": '{"station":"north"}',
        "traceloop.entity.output": "2 m",
      }),
    );
    expect(found.tools).toMatchObject([{ name: "gauge", arguments: { station: "north" }, result: "2 m" }]);
  });

  it("Q18: a response that was printed before it was read is no answer", async () => {
    const printed = "<AsyncAPIResponse [200 OK] type=<class 'openai.types.responses.response.Response'>>";
    const found = await run(
      agent("r", "desk", 0, 99, undefined, { "output.value": "2 m." }),
      span("a", "r", "create", 2, 9, {
        "mlflow.spanType": json("CHAT_MODEL"),
        "mlflow.llm.model": json("small"),
        "mlflow.spanInputs": json({ messages: [{ role: "user", content: "How high is the river?" }] }),
        "mlflow.spanOutputs": json(printed),
      }),
    );
    expect(found.answer).toBe("2 m.");
  });

  it("P32: attempts that a client made again within one span are one call that was answered", async () => {
    const again = { attributes: { "http.request.resend_count": 1 } };
    const found = await run(agent("r", "desk", 0, 99), chat("a", "r", 2, [question], done, again));
    expect(found).toMatchObject({ status: "ok", llmCalls: 1, usage: { input: 10 } });
    expect(found.missing.filter((one) => !isDetail(one)).map(({ what }) => what)).toEqual(["cost"]);
  });

  it("Q7: how many calls one span stands for is unknown, and so are tokens that only its agent has", async () => {
    const several = span("a", "r", "chat small", 2, 90, {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "small",
      "gen_ai.usage.input_tokens": 10,
      "gen_ai.usage.output_tokens": 2,
      "gen_ai.input.messages": json([question]),
      "gen_ai.output.messages": json([done]),
      "gen_ai.response.finish_reasons": ["stop"],
    });
    const result = { "gen_ai.tool.call.arguments": "{}", "gen_ai.tool.call.result": "3.1" };
    const found = await run(agent("r", "desk", 0, 99), several, tool("t", "a", 10, result));
    expect(found).toMatchObject({ llmCalls: null, usage: { input: null }, tools: [{ result: "3.1" }] });
    expect(found.missing.filter((one) => !isDetail(one)).map(({ what }) => what)).toEqual([
      "llm_calls",
      "tokens",
      "cost",
    ]);
  });

  it("Q10: two spans of a call that count otherwise are one call, and the run says that they differ", async () => {
    const id = { attributes: { "gen_ai.response.id": "msg_1" } };
    const counts = { "gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 3 };
    const [found, ...others] = await replayed(
      document([agent("r", "desk", 0, 99), chat("a", "r", 2, [question], done, id)]),
      document(
        [
          span("b", "a", "anthropic.messages.create", 3, 9, {
            "gen_ai.operation.name": "chat",
            "gen_ai.response.id": "msg_1",
            ...counts,
          }),
        ],
        { scope: "com.anthropic.sdk.python" },
      ),
    );
    expect(others).toEqual([]);
    expect(found).toMatchObject({ llmCalls: 1, usage: { output: 3 } });
    expect(found?.missing).toContainEqual({
      what: "token_counts",
      why: "1 call is counted otherwise in another of its spans: the innermost is believed",
    });
  });

  it("P16: a guardrail that tripped ends the run with an error", async () => {
    const found = await run(
      agent("r", "desk", 0, 99),
      span("g", "r", "guardrail topics", 1, 2, {
        "gen_ai.operation.name": "guardrail_check",
        "gen_ai.guardrail.name": "topics",
        "gen_ai.guardrail.triggered": true,
      }),
    );
    expect(found).toMatchObject({ status: "error", guardrails: [{ name: "topics", triggered: true }] });
  });

  it("Q21: a tool that is called like another agent is a hand-off to it", async () => {
    const found = await run(
      agent("r", "desk", 0, 99),
      chat("a", "r", 2, [question], asks("h1", "river", { task: "look" })),
      agent("y", "river", 12, 40, "r"),
      chat("b", "y", 13, [text("user", "look")], done),
      chat(
        "c",
        "r",
        50,
        [question, asks("h1", "river", { task: "look" }), returns("h1", "3.1 metres.")],
        done,
      ),
    );
    expect(found.handoffs).toMatchObject([{ from: "desk", to: "river" }]);
    expect(found.tools).toEqual([]);
  });
});
