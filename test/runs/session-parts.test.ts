import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { liveRuns, replayedRuns } from "../long/runs/assemble.ts";
import type { Body } from "../long/runs/records.ts";
import { agentAttributes, chatAttributes, tokenCounts, toolAttributes } from "../support/genai.ts";
import { type Attributes, document, span, type Span } from "../support/otlp.ts";
import { sessionDocument, sessionRecord as record, turnNotations } from "../support/session-records.ts";

/** Agents that export each model call and tool call in a trace of its own, and the query only in a log record without a trace. */

const model = "gpt-4o-mini";
const resource = { "service.name": "coder" };

/** A model call in its own trace. */
function call(id: string, start: number, end: number, more: Attributes = {}, session = "s1"): Span {
  const attributes = {
    ...chatAttributes("gpt-4o"),
    "gen_ai.conversation.id": session,
    "session.id": session,
    ...more,
  };
  return span(id, undefined, "chat", start, end, attributes, { trace: `${session}${id}` });
}

/** A tool call in its own trace. */
function tool(id: string, start: number, end: number, more: Attributes, session = "s1"): Span {
  const attributes = {
    ...toolAttributes("count"),
    "gen_ai.conversation.id": session,
    "session.id": session,
    ...more,
  };
  return span(id, undefined, "execute_tool count", start, end, attributes, { trace: `${session}${id}` });
}

/** The spans of the turn, each in its own trace. Only the tool's span has its result. */
function spansOf(at: number, session?: string): Span[] {
  return [
    call(`a${at}`, at + 8, at + 20.4, tokenCounts(100, 8), session),
    tool(`b${at}`, at + 34, at + 40.3, { "gen_ai.tool.call.result": "2" }, session),
    call(`c${at}`, at + 49, at + 60.2, tokenCounts(120, 5), session),
  ];
}

function traces(spans: readonly Span[]): Body {
  return body(document(spans, { resource, scope: "tracing" }), "traces");
}

function logs(logRecords: readonly Record<string, unknown>[]): Body {
  return body(sessionDocument(logRecords), "logs");
}

function body(content: unknown, signal: Body["signal"]): Body {
  return { bytes: new TextEncoder().encode(JSON.stringify(content)), signal, encoding: "json" };
}

function briefly({ query, answer, tools, usage, llmCalls, models, status }: AgentRun) {
  return {
    query,
    answer,
    status,
    llmCalls,
    models,
    tokens: [usage.input, usage.output],
    tools: tools.map(({ name, arguments: args, result }) => ({ name, arguments: args, result })),
  };
}

const turn = {
  answer: "Two lines.",
  status: "ok",
  llmCalls: 2,
  models: ["gpt-4o"],
  tokens: [220, 13],
  tools: [{ name: "count", arguments: { file: "notes.txt" }, result: "2" }],
};

describe.each(Object.entries(turnNotations))("spans without an agent, and %s", (_, notation) => {
  it("are one run, in any order of arrival", () => {
    const all = [traces(spansOf(0)), logs(notation("How long are the notes?", 0))];
    const expected = [{ query: "How long are the notes?", ...turn }];
    expect(replayedRuns(all).map(briefly)).toEqual(expected);
    expect(replayedRuns(all.toReversed()).map(briefly)).toEqual(expected);
    const [spans, records] = all as [Body, Body];
    for (const [first, second] of [
      [0, 3_000],
      [3_000, 0],
      [0, 15_000],
      [200_000, 0],
    ] as const) {
      const arrivals = [
        { body: spans, atMs: first },
        { body: records, atMs: second },
      ];
      expect(liveRuns(arrivals).map(briefly)).toEqual(expected);
    }
  });
});

const asked = turnNotations["records of requests"]("How long are the notes?", 0);

describe("log records of a session", () => {
  it("are no second run if a span shows the agent", () => {
    const agent = {
      ...agentAttributes("coder"),
      "session.id": "s1",
    };
    const root = span(
      "r",
      undefined,
      "invoke_agent coder",
      0,
      90,
      { ...agent, "gen_ai.conversation.id": "s1" },
      { trace: "r" },
    );
    const beside = tool("b", 34, 40, {});
    const runs = replayedRuns([traces([root, beside]), logs(asked)]);
    expect(runs.filter(({ query }) => query !== null)).toEqual([]);
    expect(runs.flatMap(({ traceIds }) => traceIds)).toHaveLength(2);
  });

  it("join spans with a response id that a run of another session has, too", () => {
    const id = { "gen_ai.response.id": "r1" };
    const agent = agentAttributes("coder");
    const trace = { trace: "r" };
    const other = [
      span("r", undefined, "invoke_agent coder", 0, 90, { ...agent, "gen_ai.conversation.id": "s2" }, trace),
      span(
        "q",
        "r",
        "chat",
        5,
        80,
        { "gen_ai.operation.name": "chat", ...id, ...tokenCounts(100, 8) },
        trace,
      ),
    ];
    const records = [
      record("user_prompt", 0, { prompt: "How long?" }),
      record("api_request", 20, {
        model,
        input_tokens: 100,
        output_tokens: 8,
        request_id: "r1",
        duration_ms: 9,
      }),
    ];
    const runs = liveRuns([
      { body: traces(other), atMs: 0 },
      { body: traces([call("a", 8, 20, { ...id, ...tokenCounts(100, 8) })]), atMs: 60_000 },
      { body: logs(records), atMs: 60_000 },
    ]);
    expect(runs.map(({ query, llmCalls }) => ({ query, llmCalls }))).toContainEqual({
      query: "How long?",
      llmCalls: 1,
    });
    expect(runs).toHaveLength(2);
  });
});

it("two tools at the same time get the results of their own arguments", () => {
  const result = (file: string, at: number) =>
    record("tool_result", at, { tool_name: "count", success: "true", tool_input: `{"file":"${file}"}` });
  const runs = replayedRuns([
    traces([
      call("a", 8, 20, tokenCounts(100, 8)),
      tool("b", 30, 41, { "gen_ai.tool.call.arguments": "plan.txt", "gen_ai.tool.call.result": "7" }),
      tool("c", 30, 40, { "gen_ai.tool.call.arguments": "notes.txt", "gen_ai.tool.call.result": "2" }),
    ]),
    logs([...asked.slice(0, 2), result("notes.txt", 41), result("plan.txt", 41)]),
  ]);
  expect(runs.map(briefly)).toMatchObject([
    {
      tools: [
        { arguments: { file: "notes.txt" }, result: "2" },
        { arguments: { file: "plan.txt" }, result: "7" },
      ],
    },
  ]);
});

it("a call outside of any agent counts only if the log records show it", () => {
  const claude = (id: string, start: number, end: number, input: number) =>
    span(
      id,
      undefined,
      "claude_code.llm_request",
      start,
      end,
      {
        "session.id": "s1",
        "span.type": "llm_request",
        "llm_request.context": "standalone",
        model: "claude",
        input_tokens: input,
        output_tokens: 8,
      },
      { trace: id },
    );
  const spans = [claude("a", 1, 15, 30), claude("b", 9, 20.3, 100)];
  expect(replayedRuns([traces(spans)])).toEqual([]);
  expect(replayedRuns([traces(spans), logs(asked.slice(0, 2))]).map(briefly)).toMatchObject([
    { query: "How long are the notes?", llmCalls: 1, models: ["claude"], tokens: [100, 8] },
  ]);
});
