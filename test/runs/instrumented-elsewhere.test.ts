import { describe, expect, it } from "vitest";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** Frameworks under an instrumentation that is not their own. */

const messages = (...list: readonly object[]) => JSON.stringify(list);
const user = (text: string) => ({ role: "user", content: text });
const said = (text: string) => ({ role: "assistant", content: text });

const call = (id: string, parent: string | undefined, at: number, more: Record<string, string | number>) =>
  span(id, parent, "chat small", at, at + 2, {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "small",
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 2,
    ...more,
  });

it("a requested name does not say who answered where a version of it answered another call", async () => {
  const [run] = await replayed(
    document([
      span("r", undefined, "invoke_agent gauger", 0, 9, { "gen_ai.operation.name": "invoke_agent" }),
      call("a", "r", 1, { "gen_ai.response.model": "small-2026-01-01" }),
      call("b", "r", 4, {}),
    ]),
  );
  expect(run?.models).toEqual(["small"]);
  expect(run?.responseModels).toEqual(["small-2026-01-01"]);
});

it("a turn's own span counts to its turn", async () => {
  const turn = (id: string, at: number) => span(id, "r", "turn", at, at + 8, {});
  const first = [user("How high?")];
  const second = [...first, said("3.1"), user("And now?")];
  const runs = await replayed(
    document([
      span("r", undefined, "conversation", 0, 30, {}),
      turn("t1", 1),
      call("a", "t1", 2, {
        "gen_ai.input.messages": messages(...first),
        "gen_ai.output.messages": messages(said("3.1")),
      }),
      turn("t2", 11),
      call("b", "t2", 12, {
        "gen_ai.input.messages": messages(...second),
        "gen_ai.output.messages": messages(said("3.2")),
      }),
    ]),
  );
  expect(runs.map(({ query, llmCalls }) => [query, llmCalls])).toEqual([
    ["How high?", 1],
    ["And now?", 1],
  ]);
});

describe("hidden texts within JSON", () => {
  it("are no arguments and no result", async () => {
    const [run] = await replayed(
      document([
        span("r", undefined, "invoke_agent gauger", 0, 9, { "gen_ai.operation.name": "invoke_agent" }),
        span("t", "r", "execute_tool gauge", 1, 5, {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "gauge",
          "gen_ai.tool.call.arguments": '"[redacted]"',
          "gen_ai.tool.call.result": '{"name":"gauge","tool_call_id":"c","content":"[redacted]"}',
        }),
      ]),
    );
    expect(run?.tools.map(({ name, arguments: given, result }) => ({ name, given, result }))).toEqual([
      { name: "gauge", given: undefined, result: undefined },
    ]);
  });
});

it("the usage of an agent's span with one call's attributes is not the run's", async () => {
  const agent = { "langfuse.observation.type": "agent", "langfuse.observation.output": "3.1" };
  const counts = { "llm.token_count.prompt": 10, "llm.token_count.completion": 2 };
  const runWith = async (more: Record<string, string>) => {
    const tool = span("t", "r", "gauge", 1, 2, { "langfuse.observation.type": "tool" });
    const [run] = await replayed(
      document([span("r", undefined, "gauger", 0, 9, { ...agent, ...counts, ...more }), tool]),
    );
    return run?.usage.input;
  };
  expect(await runWith({})).toBe(10);
  expect(await runWith({ "llm.response.id": "resp_1" })).toBe(null);
});

it("a last call with an empty object for its output may not have ended", async () => {
  const chain = (output: string) => ({
    "langsmith.span.kind": "chain",
    "gen_ai.prompt": messages(user("How high?")),
    "gen_ai.completion": output,
  });
  const model = (output: string) => ({
    ...chain(output),
    "langsmith.span.kind": "llm",
    "gen_ai.request.model": "small",
  });
  const runWith = async (output: string) => {
    const [run] = await replayed(
      document([
        span("r", undefined, "gauger", 0, 9, chain("{}")),
        span("c", "r", "ChatOpenAI", 1, 5, model(output)),
      ]),
    );
    return run?.complete;
  };
  expect(await runWith("{}")).toBe(false);
  expect(await runWith(messages(said("3.1")))).toBe(true);
});

describe("LangChain's agents", () => {
  const tool = '{"question":"How high?"}';
  it.each([
    [
      "MLflow",
      (name: string, kind: string) => ({
        "mlflow.spanType": kind,
        "mlflow.spanInputs": tool,
        metadata: `{"lc_agent_name": "${name}"}`,
      }),
      { agent: "CHAIN", tool: "TOOL", call: "CHAT_MODEL" },
    ],
    [
      "LangSmith",
      (name: string, kind: string) => ({
        "langsmith.span.kind": kind,
        "gen_ai.prompt": tool,
        "langsmith.metadata.lc_agent_name": name,
      }),
      { agent: "chain", tool: "tool", call: "llm" },
    ],
  ])("under %s are chains named like the agent at work", async (_, attributes, kinds) => {
    const [run] = await replayed(
      document([
        span("r", undefined, "warden", 0, 20, attributes("warden", kinds.agent)),
        span("a", "r", "ChatOpenAI", 1, 2, {
          ...attributes("warden", kinds.call),
          "gen_ai.request.model": "small",
        }),
        span("t", "r", "ask_scout", 3, 9, attributes("warden", kinds.tool)),
        span("s", "t", "scout", 4, 8, attributes("scout", kinds.agent)),
        span("b", "s", "ChatOpenAI", 5, 6, {
          ...attributes("scout", kinds.call),
          "gen_ai.request.model": "small",
        }),
        span("c", "r", "ChatOpenAI", 10, 12, {
          ...attributes("warden", kinds.call),
          "gen_ai.request.model": "small",
        }),
      ]),
    );
    expect(run?.agent).toBe("warden");
    expect(run?.handoffs.map(({ from, to }) => [from, to])).toEqual([["warden", "scout"]]);
  });
});

it("Pydantic AI's requests under MLflow are read, and its agent is named", async () => {
  const request = {
    kind: "request",
    instructions: "You are brief.",
    parts: [{ part_kind: "user-prompt", content: ["How high?", { kind: "binary" }] }],
  };
  const asked = {
    kind: "response",
    parts: [{ part_kind: "tool-call", tool_name: "gauge", args: "{}", tool_call_id: "c1" }],
  };
  const returned = {
    kind: "request",
    parts: [{ part_kind: "tool-return", tool_name: "gauge", content: "3.1", tool_call_id: "c1" }],
  };
  const answered = { kind: "response", parts: [{ part_kind: "text", content: "It is 3.1." }] };
  const model = (id: string, at: number, sent: readonly object[], got: object) =>
    span(id, "r", "OpenAIChatModel.request", at, at + 1, {
      "mlflow.spanType": '"LLM"',
      "mlflow.spanInputs": JSON.stringify({ messages: sent }),
      "mlflow.spanOutputs": JSON.stringify(got),
    });
  const [run] = await replayed(
    document([
      span("r", undefined, "Agent.run", 0, 9, {
        "mlflow.spanType": '"AGENT"',
        "mlflow.message.format": '"pydantic_ai"',
        "mlflow.spanOutputs": '{"output": "It is 3.1.", "_state": {"run_step": 2}}',
        name: '"gauger"',
      }),
      model("a", 1, [request], asked),
      model("b", 4, [request, asked, returned], answered),
    ]),
  );
  expect(run).toMatchObject({ agent: "gauger", query: "How high?", answer: "It is 3.1.", llmCalls: 2 });
  expect(run?.tools.map(({ name, result }) => [name, result])).toEqual([["gauge", "3.1"]]);
});

it("turns that OpenLIT shows as agents without a name are no agents", async () => {
  const agent = (id: string, parent: string | undefined, name: string | undefined, at: number, end: number) =>
    span(id, parent, name === undefined ? "invoke_agent" : `invoke_agent ${name}`, at, end, {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.sdk.version": "1",
      ...(name === undefined ? {} : { "gen_ai.agent.name": name }),
    });
  const asks = messages({
    role: "assistant",
    parts: [{ type: "tool_call", id: "c", name: "gauge", arguments: {} }],
  });
  const [run] = await replayed(
    document([
      agent("r", undefined, "gauger", 0, 20),
      agent("t1", "r", undefined, 1, 9),
      call("a", "t1", 2, {
        "gen_ai.input.messages": messages(user("How high?")),
        "gen_ai.output.messages": asks,
      }),
      span("x", "t1", "execute_tool gauge", 5, 6, {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "gauge",
      }),
      agent("t2", "r", undefined, 10, 19),
      call("b", "t2", 11, { "gen_ai.output.messages": messages(said("3.1")) }),
    ]),
  );
  expect(run?.llmCalls).toBe(2);
});

it("agents of the Agents SDK under Laminar are named as their span's input names them", async () => {
  const [run] = await replayed(
    document([
      span("r", undefined, "Agent workflow", 0, 20, { "lmnr.span.type": "DEFAULT" }),
      span("a", "r", "gauger", 1, 19, {
        "lmnr.span.type": "DEFAULT",
        "lmnr.span.input": '{"name":"gauger","tools":["gauge"],"output_type":"str"}',
      }),
      span("c", "a", "agents.response", 2, 5, { "lmnr.span.type": "LLM", "gen_ai.request.model": "small" }),
    ]),
  );
  expect(run?.agent).toBe("gauger");
});

it("Pipecat reports the model that answered as the one asked for", async () => {
  const pipeline = (asked: string) => ({
    "gen_ai.request.model": asked,
    "param.model": "small",
    output: "3.1",
  });
  const [run] = await replayed(
    document(
      [
        span("c", undefined, "llm", 0, 5, {
          "gen_ai.operation.name": "chat",
          ...pipeline("small-2026-01-01"),
        }),
      ],
      {
        scope: "pipecat",
      },
    ),
  );
  expect(run).toMatchObject({ models: ["small"], responseModels: ["small-2026-01-01"] });
});

it("counts beside a finish reason on what only looks like an agent's span are one call's", async () => {
  const acme = { "acme.model": "small", "acme.usage.input_tokens": 604, "acme.usage.output_tokens": 26 };
  const ran = async (more: Record<string, string>) => {
    const [run] = await replayed(
      document([
        span("r", undefined, "invoke_agent gauger", 0, 9, { "acme.agent.name": "gauger", ...acme, ...more }),
        span("t", "r", "execute_tool gauge", 2, 3, { "acme.tool.name": "gauge", "acme.tool.call.id": "c" }),
      ]),
    );
    return run?.usage.input;
  };
  expect(await ran({})).toBe(604);
  expect(await ran({ "acme.response.finish_reason": "stop" })).toBeNull();
});
