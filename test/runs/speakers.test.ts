import { describe, expect, it } from "vitest";
import { agentAttributes, chatAttributes, tokenCounts, toolAttributes } from "../support/genai.ts";
import { type Attributes, document, log, logDocument, span, type Span } from "../support/otlp.ts";
import { replayedOne } from "../support/replayed.ts";

/** Whose words, tools and calls are the agent's: not those of guardrails, evaluators, harnesses and hooks. */

const json = JSON.stringify;

const only = (spans: readonly Span[], ...logs: readonly object[]) => replayedOne(document(spans), ...logs);

const says = (content: string) =>
  json([{ role: "assistant", parts: [{ type: "text", content }], finish_reason: "stop" }]);
const asks = (name: string, args: object = {}) =>
  json([
    {
      role: "assistant",
      parts: [{ type: "tool_call", id: "k", name, arguments: args }],
      finish_reason: "tool_call",
    },
  ]);
const user = (content: string) => json([{ role: "user", parts: [{ type: "text", content }] }]);

function agent(
  id: string,
  name: string,
  start: number,
  end: number,
  parent?: string,
  more: Attributes = {},
): Span {
  return span(id, parent, `invoke_agent ${name}`, start, end, {
    ...agentAttributes(name),
    ...more,
  });
}

function chat(id: string, parent: string, start: number, output: string | null, more: Attributes = {}): Span {
  return span(id, parent, "chat gpt-4o-mini", start, start + 5, {
    ...chatAttributes("gpt-4o-mini"),
    ...tokenCounts(10, 2),
    "gen_ai.input.messages": user("How high is the river?"),
    ...(output === null ? {} : { "gen_ai.output.messages": output }),
    ...more,
  });
}

function tool(id: string, parent: string, name: string, start: number, more: Attributes = {}): Span {
  return span(id, parent, `execute_tool ${name}`, start, start + 3, {
    ...toolAttributes(name, "k"),
    ...more,
  });
}

describe.each([
  ["guardrail", { "openinference.span.kind": "GUARDRAIL" }],
  ["evaluator", { "openinference.span.kind": "EVALUATOR" }],
])("a %s that asks a model after the answer", (kind, attributes) => {
  const watched = [
    agent("r", "gauger", 0, 90),
    chat("c", "r", 10, says("Two metres.")),
    span("w", "r", "tone", 30, 60, attributes),
    agent("i", "Tone check", 31, 59, "w"),
    chat("d", "i", 40, says("polite")),
  ];

  it(`neither answers nor takes over as ${kind}`, async () => {
    const run = await only(watched);
    expect(run).toMatchObject({ answer: "Two metres.", finalAgent: "gauger", handoffs: [], llmCalls: 2 });
  });
});

describe("tools that the provider runs", () => {
  const parts = {
    "with the result beside the request": [
      { type: "server_tool_call", id: "s", name: "web_search", server_tool_call: { query: "river" } },
      { type: "server_tool_call_response", id: "s", server_tool_call_response: { results: ["x"] } },
      { type: "text", content: "Two metres." },
    ],
    "without a result": [
      { type: "web_search_call", id: "s", status: "completed" },
      { type: "text", content: "Two metres." },
    ],
  };

  it.each(Object.entries(parts))("leave the answer an answer, %s", async (_, list) => {
    const output = json([{ role: "assistant", parts: list, finish_reason: "stop" }]);
    const run = await only([agent("r", "gauger", 0, 90), chat("c", "r", 10, output)]);
    expect(run.answer).toBe("Two metres.");
    expect(run.complete).toBe(true);
    expect(run.tools).toMatchObject([{ name: expect.stringContaining("web_search") as string, error: null }]);
  });
});

describe("hand-offs", () => {
  it("are none where a tool has the agent's own name", async () => {
    const run = await only([
      agent("r", "River", 0, 50),
      chat("c", "r", 5, asks("river")),
      tool("t", "r", "river", 12, { "gen_ai.tool.call.result": "2 m" }),
      chat("d", "r", 30, says("Two metres.")),
    ]);
    expect(run.tools).toMatchObject([{ name: "river", result: "2 m" }]);
    expect(run.handoffs).toEqual([]);
  });
});

it.each(['{"note":"hello","order":12', '{"note":"hel', '{"note":"hello","order":12...'])(
  "does not show arguments that were cut off: %s",
  async (text) => {
    const run = await only([
      agent("r", "clerk", 0, 50),
      chat("c", "r", 5, null),
      tool("t", "r", "refund", 12, { "gen_ai.tool.call.arguments": text, "gen_ai.tool.call.result": "done" }),
      chat("d", "r", 30, says("Refunded.")),
    ]);
    expect(run.tools[0]?.arguments).toBeUndefined();
    expect(run.missing.map(({ what }) => what)).toContain("tool_arguments");
  },
);

describe("a harness's own calls", () => {
  const work = [chat("c", "r", 10, says("Two metres."))];
  const titles: Readonly<Record<string, Span[]>> = {
    "told by who asked": [chat("x", "r", 2, says("River"), { query_source: "generate_session_title" })],
    "told by the step around them": [
      span("s", "r", "Session.ensureTitle", 1, 9),
      chat("x", "s", 2, says("River")),
    ],
    "told by their instructions": [
      chat("x", "r", 20, says("River"), {
        "gen_ai.system_instructions": json([{ type: "text", content: "You are a title generator." }]),
        "gen_ai.input.messages": json([
          {
            role: "system",
            parts: [{ type: "text", content: "You are a title generator. Output a title." }],
          },
          { role: "user", parts: [{ type: "text", content: "How high is the river?" }] },
        ]),
      }),
    ],
  };

  it.each(Object.entries(titles))("neither answer nor count, %s", async (_, spans) => {
    const run = await only([agent("r", "gauger", 0, 90), ...spans, ...work]);
    expect(run).toMatchObject({ answer: "Two metres.", llmCalls: 1 });
    expect(run.usage.input).toBe(10);
  });
});

describe("records beside the spans that they are about", () => {
  it("bodies on an agent's span are those of the calls in whose time they were written", async () => {
    const scope = "com.anthropic.claude_code.events";
    const body = (content: object[], reason: string) =>
      json({ role: "assistant", content, stop_reason: reason });
    const call = (id: string, start: number): Span =>
      span(id, "r", "claude_code.llm_request", start, start + 50, {
        "span.type": "llm_request",
        model: "claude-sonnet-4-5",
        input_tokens: 10,
        output_tokens: 2,
      });
    const response = (at: number, text: string) =>
      log("r", "api_response_body", "", { model: "claude-sonnet-4-5", body: text }, at);
    const run = await only(
      [
        span("r", undefined, "claude_code.interaction", 0, 9000, { "span.type": "interaction" }),
        call("a", 10),
        span("t", "r", "claude_code.tool", 70, 90, {
          "span.type": "tool",
          tool_name: "Bash",
          tool_use_id: "k",
          full_command: "wc",
        }),
        call("b", 5000),
      ],
      logDocument(
        [
          response(
            60,
            body(
              [{ type: "tool_use", id: "k", name: "Bash", input: { command: "wc", why: "count" } }],
              "tool_use",
            ),
          ),
          log(
            "r",
            "tool_result",
            "",
            { tool_use_id: "k", tool_name: "Bash", tool_input: '{"command":"wc","why":"count"}' },
            91,
          ),
          response(5050, body([{ type: "text", text: "Two lines." }], "end_turn")),
        ],
        scope,
      ),
    );
    expect(run.answer).toBe("Two lines.");
    expect(run.tools).toMatchObject([{ name: "Bash", arguments: { command: "wc", why: "count" } }]);
  });
});

describe("calls", () => {
  it("within a call's span that ask for tools are calls of their own, with unknown usage", async () => {
    const outer = chat("o", "r", 0, says("Two metres."));
    const run = await only([
      agent("r", "gauger", 0, 90),
      { ...outer, endTimeUnixNano: chat("x", "r", 75, null)["endTimeUnixNano"] },
      tool("t", "o", "gauge", 10, { "gen_ai.tool.call.result": "2 m" }),
      chat("i", "o", 20, says("Two metres.")),
    ]);
    expect(run).toMatchObject({ llmCalls: 2, answer: "Two metres." });
    expect(run.usage.input).toBeNull();
  });

  it("that no model served may have failed", async () => {
    const run = await only([
      agent("r", "gauger", 0, 90),
      chat("c", "r", 5, asks("gauge")),
      tool("t", "r", "gauge", 12, { "gen_ai.tool.call.result": "2 m" }),
      chat("d", "r", 30, json([{ role: "assistant", parts: [] }]), tokenCounts(0, 0)),
    ]);
    expect(run).toMatchObject({ status: null, complete: false, llmCalls: 1, answer: null });
  });

  it("that only asked give no answer, though an agent's span repeats their words", async () => {
    const words = "I will look.";
    const output = json([
      {
        role: "assistant",
        parts: [
          { type: "text", content: words },
          { type: "tool_call", id: "k", name: "gauge", arguments: {} },
        ],
      },
    ]);
    const run = await only([
      agent("r", "gauger", 0, 90, undefined, { "gen_ai.output.messages": says(words) }),
      chat("c", "r", 5, output),
      tool("t", "r", "gauge", 12, { "gen_ai.tool.call.result": "2 m" }),
      chat("d", "r", 20, asks("gauge", { again: true })),
    ]);
    expect(run.answer).toBeNull();
  });
});
