import { describe, expect, it } from "vitest";
import {
  agentAttributes,
  agentSpan,
  chatAttributes,
  inputMessages,
  outputMessages,
  tokenCounts,
  toolAttributes,
  toolSpan,
  words,
} from "../support/genai.ts";
import { document, log, logDocument, span } from "../support/otlp.ts";
import { replayed, replayedOne as only } from "../support/replayed.ts";

/** Kinds that dumps from public repositories showed, with spans of our own. */

const json = JSON.stringify;
const asks = (name: string, args: object, id?: string) => ({ type: "tool_call", name, arguments: args, id });

describe("calls that a coding agent makes for itself", () => {
  const interaction = span("r", undefined, "claude_code.interaction", 0, 50, {
    "span.type": "interaction",
    user_prompt: "Where is the lamp?",
    "session.id": "s",
  });
  const request = (id: string, at: number, more: Record<string, string> = {}, trace = "t") =>
    span(
      id,
      trace === "t" ? "r" : undefined,
      "claude_code.llm_request",
      at,
      at + 5,
      {
        "span.type": "llm_request",
        "llm_request.context": "interaction",
        model: "large",
        input_tokens: 10,
        output_tokens: 2,
        request_id: `req-${id}`,
        "session.id": "s",
        ...more,
      },
      { trace },
    );
  const recorded = (source: string, id: string, response: string, at: number) => {
    const named = { query_source: source, request_id: `req-${id}`, model: "large", "session.id": "s" };
    return [
      log("r", "api_request", "", { ...named, input_tokens: 10, output_tokens: 2 }, at),
      log("r", "assistant_response", "", { ...named, response }, at),
    ];
  };
  const records = (source: string) =>
    logDocument(
      [...recorded("repl_main_thread", "a", "In room 4.", 6), ...recorded(source, "b", "thanks", 26)],
      "com.anthropic.claude_code.events",
    );

  it("neither answer nor count, if only a log record says what they are for", async () => {
    const run = await only(
      document([interaction, request("a", 1), request("b", 21)]),
      records("prompt_suggestion"),
    );
    expect(run).toMatchObject({ answer: "In room 4.", usage: { input: 10 } });
    expect(run.llmCalls).toBe(1);
  });

  const prompt = (words: string) =>
    span(
      "m",
      undefined,
      "claude_code.interaction",
      -90,
      -80,
      { "span.type": "interaction", user_prompt: words, "session.id": "s" },
      { trace: "u" },
    );

  it("a command without calls is no run", async () => {
    const runs = await replayed(document([prompt("/mcp"), interaction, request("a", 1)]));
    expect(runs.map(({ query }) => query)).toEqual(["Where is the lamp?"]);
  });

  it("a prompt without calls is not continued by the next prompt", async () => {
    // The program was killed before it answered.
    const calls = [request("a", 1, { stop_reason: "tool_use" })];
    const runs = await replayed(document([prompt("Wait."), interaction, ...calls]));
    expect(runs.map(({ query }) => query)).toEqual(["Wait.", "Where is the lamp?"]);
  });
});

describe("messages in a record of AWS's distribution", () => {
  const agent = span("r", undefined, "invoke_agent Strands Agents", 0, 50, agentAttributes("keeper"));
  const chat = (id: string, at: number) =>
    span(id, "r", "chat", at, at + 5, {
      ...chatAttributes("large"),
      ...tokenCounts(10, 2),
    });
  const tool = toolSpan("t", "r", "find", 10, toolAttributes("find", "c1"));
  const event = (role: string, content: Record<string, string>) => ({ role, content });
  const body = (id: string, input: object[], output: object[]) =>
    log(id, "strands.telemetry.tracer", {
      input: { messages: input },
      output: { messages: output },
    } as never);
  const user = event("user", { content: json([{ text: "Where is the lamp?" }]) });
  const earlier = event("assistant", { content: json([{ text: "Hello." }]) });
  const used = json([{ toolUse: { toolUseId: "c1", name: "find", input: { title: "lamp" } } }]);
  const returned = json([
    { toolResult: { toolUseId: "c1", status: "success", content: [{ text: "room 4" }] } },
  ]);
  const logs = logDocument(
    [
      body("a", [user], [earlier, event("assistant", { message: used, finish_reason: "tool_use" })]),
      body(
        "t",
        [event("tool", { content: json({ title: "lamp" }), role: "tool", id: "c1" })],
        [event("assistant", { message: json([{ text: "room 4" }]), id: "c1" })],
      ),
      body(
        "b",
        [user, event("user", { content: returned })],
        [event("assistant", { message: json([{ text: "In room 4." }]), finish_reason: "end_turn" })],
      ),
      body("r", [user], [event("assistant", { message: "In room 4.\n", finish_reason: "end_turn" })]),
    ],
    "strands.telemetry.tracer",
  );

  it("are read without the attributes of the events that they were made from", async () => {
    const run = await only(document([agent, chat("a", 1), tool, chat("b", 20)]), logs);
    expect(run).toMatchObject({
      query: "Where is the lamp?",
      answer: "In room 4.",
      usage: { input: 20 },
      tools: [{ name: "find", arguments: { title: "lamp" }, result: "room 4" }],
    });
  });
});

const inner = [
  agentSpan("g", "w", "keeper", 2, 40),
  span("a", "g", "chat large", 3, 30, {
    ...chatAttributes("large"),
    ...tokenCounts(10, 2),
    ...inputMessages(words("user", "Where is the lamp?")),
    ...outputMessages(words("assistant", "In room 4.")),
  }),
];
const outer = (more: Record<string, string | number>) =>
  span("w", undefined, "handle-message", 0, 50, {
    "langfuse.observation.type": "generation",
    "langfuse.observation.input": "Where is the lamp?",
    "langfuse.observation.output": "In room 4.",
    ...more,
  });

it("a function that is recorded as a generation is no model call if it names no model and encloses an agent", async () => {
  const { usage, llmCalls } = await only(document([outer({}), ...inner]));
  expect(usage.input).toBe(10);
  expect(llmCalls).toBe(1);
});

describe("a call that two instrumentations record beside each other", () => {
  const root = agentSpan("r", undefined, "keeper", 0, 99);
  const call = (id: string, start: number, end: number, output: object, parent: string) =>
    span(id, parent, "chat", start, end, {
      ...chatAttributes("large"),
      ...inputMessages(words("user", "Where is the lamp?")),
      ...outputMessages(output),
    });
  const requests = (title: string, id?: string) => ({
    role: "assistant",
    parts: [asks("find", { title }, id)],
  });
  const step = span("s", "r", "RunnableSequence", 1, 30);

  it("is one call, also if neither counts tokens", async () => {
    const { llmCalls } = await only(
      document([root, step, call("a", 2, 20, requests("lamp"), "s")]),
      document([call("b", 3, 19, requests("lamp", "c1"), "r")], { scope: "client" }),
    );
    expect(llmCalls).toBe(1);
  });

  it("is two calls if they say different things", async () => {
    const { llmCalls } = await only(
      document([root, step, call("a", 2, 20, requests("lamp"), "s")]),
      document([call("b", 3, 19, requests("chair", "c1"), "r")], { scope: "client" }),
    );
    expect(llmCalls).toBe(2);
  });
});

describe("two hand-offs that one model call requests", () => {
  const agent = (id: string, name: string, start: number, end: number) =>
    agentSpan(id, "w", name, start, end);
  const chat = (id: string, parent: string, at: number, output: object) =>
    span(id, parent, "chat large", at, at + 5, {
      ...chatAttributes("large"),
      ...inputMessages(words("user", "Where is the lamp?")),
      ...outputMessages(output),
    });
  const both = {
    role: "assistant",
    parts: [asks("transfer_to_finder", {}, "c1"), asks("transfer_to_cleaner", {}, "c2")],
  };
  const workflow = span("w", undefined, "Agent workflow", 0, 99);
  const begin = [
    workflow,
    agent("k", "keeper", 1, 20),
    chat("a", "k", 2, both),
    agent("f", "finder", 21, 60),
  ];
  const found = chat("b", "f", 22, words("assistant", "In room 4."));

  it("are one if only one agent worked", async () => {
    const { handoffs } = await only(document([...begin, found]));
    expect(handoffs?.map(({ to }) => to)).toEqual(["finder"]);
  });
});

it("a run whose last call says that it asked for tools ends as the span around it says", async () => {
  const run = await only(
    document([
      span("r", undefined, "turn", 0, 99, {}, { status: { code: 2, message: "Workflow failed" } }),
      span("a", "r", "chat large", 3, 30, {
        ...chatAttributes("large"),
        ...tokenCounts(10, 2),
        "gen_ai.response.finish_reasons": ["tool_calls"],
      }),
      span("t", "a", "execute_tool find", 31, 40, toolAttributes("find")),
    ]),
  );
  expect(run).toMatchObject({ status: "error", error: "Workflow failed" });
});
