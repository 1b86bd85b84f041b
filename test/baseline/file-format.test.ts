import { describe, expect, test } from "vitest";
import { baselineJson, readBaseline } from "../../src/report/baseline/file/file-format.ts";
import { redactJson } from "../../src/report/baseline/file/redact.ts";
import { runFromJson } from "../../src/report/baseline/file/run-from-json.ts";
import { baselineFile } from "../../src/replay/baselines/files.ts";
import { runJson } from "../../src/report/json/run-json.ts";
import { runOf } from "../support/run-of.ts";
import { verdictOf } from "../support/verdict-of.ts";

test("a run survives being written and read", () => {
  const run = runOf({
    tools: ["a", { name: "b", arguments: undefined, executed: false }],
    handoffs: ["billing"],
    llm: [{ usage: { input: 3, output: 4 }, finishReason: "stop" }],
    usage: { input: 3, output: 4 },
    attributes: { "service.version": "1" },
    messages: [
      {
        role: "assistant",
        name: null,
        text: "hi",
        calls: [{ id: "1", name: "a", arguments: {} }],
        results: [],
      },
    ],
  });
  const written = runJson(run, true);
  expect(runJson(runFromJson(JSON.parse(JSON.stringify(written))), true)).toEqual(written);
});

const agentci = {
  version: "v1",
  agent: "shop-agent",
  captured_at: "2026-02-26T14:30:00Z",
  query: "Where is my order?",
  metadata: { model: "gpt-4o-mini", spec_hash: "sha256:abc123", precheck_passed: true },
  trace: {
    spans: [
      { kind: "agent", name: "shop", output_data: "It is on its way.", tool_calls: [], llm_calls: [] },
      {
        kind: "tool_call",
        output_data: "shipped",
        tool_calls: [{ tool_name: "find_order", arguments: { id: 7 }, result: "shipped", duration_ms: 3 }],
        llm_calls: [{ model: "gpt-4o-mini", tokens_in: 10, tokens_out: 5, cost_usd: 0.001 }],
      },
      { kind: "handoff", from_agent: "shop", to_agent: "billing", tool_calls: [], llm_calls: [] },
    ],
    total_cost_usd: 0.001,
    total_tokens: 15,
    total_duration_ms: 12.5,
    total_llm_calls: 1,
    total_tool_calls: 1,
  },
};

describe("AgentCI's baseline files are read", () => {
  test("with tools, answer, hand-offs and totals", () => {
    expect(readBaseline(JSON.stringify(agentci), "v1")).toMatchObject({
      version: "v1",
      agent: "shop-agent",
      queryId: null,
      query: "Where is my order?",
      metadata: { precheckPassed: true },
      run: {
        answer: "It is on its way.",
        tools: [{ name: "find_order", arguments: { id: 7 } }],
        handoffs: [{ to: "billing" }],
        totalTokens: 15,
        costUsd: 0.001,
        llmCalls: 1,
        durationMs: 12.5,
      },
      verdict: null,
    });
  });

  test("zero stands for unknown there", () => {
    const trace = { ...agentci.trace, total_tokens: 0, total_cost_usd: 0, total_llm_calls: 0, spans: [] };
    expect(readBaseline(JSON.stringify({ ...agentci, trace }), "v1")).toMatchObject({
      run: { totalTokens: null, costUsd: null, llmCalls: null },
    });
  });
});

test.each([
  ["{", "is not JSON"],
  ["[]", "is not a JSON object"],
  ["{}", "has no `trace`: not a baseline"],
  ['{"trace":{}}', "has no `agent`: not a baseline"],
])("%s is no baseline: %s", (text, reason) => {
  expect(readBaseline(text, "v1")).toBe(reason);
});

describe("redaction", () => {
  test("credentials go by default, personal data on demand", () => {
    const text =
      "key sk-proj-abcdefghijklmnopqrstuv, Bearer abcdefghijklmnop.q, AKIAABCDEFGHIJKLMNOP; ann@example.com, 4111 1111 1111 1111, +49 30 1234567";
    expect(redactJson(text, ["secrets"])).toBe(
      "key [key], Bearer [key], [key]; ann@example.com, 4111 1111 1111 1111, +49 30 1234567",
    );
    expect(redactJson(text, ["pii"])).toContain("[email], [card], [phone]");
  });

  test("covers keys of JSON and pairs of name and value; ids stay", () => {
    const password = ["s3same", "open"].join("-");
    const run = {
      trace_id: "4111111111111111",
      attributes: { dbPassword: password },
      tools: [{ name: "password", value: password }],
    };
    expect(JSON.stringify(redactJson(run, ["secrets"]))).not.toContain(password);
    expect(JSON.stringify(redactJson(run, ["pii"]))).toContain("4111111111111111");
  });

  test("reaches answer, arguments and messages, and says that it did", () => {
    const secret = "sk-abcdefghijklmnopqrstuvwxyz";
    const verdict = verdictOf([], {
      run: runOf({ answer: secret, tools: [{ name: "a", arguments: { key: [secret] }, result: secret }] }),
    });
    const saving = {
      version: "v1",
      variant: 1,
      agent: "a",
      query: "q",
      capturedAt: "2026-01-01T00:00:00Z",
      precheckPassed: true,
      engine: "1",
      redaction: ["secrets"],
    } as const;
    const written = JSON.stringify(baselineJson(verdict, saving));
    expect(written).not.toContain(secret);
    expect(JSON.parse(written)).toMatchObject({
      metadata: { redaction: ["secrets"], precheck_passed: true },
    });
  });
});

test.each([
  [{ agent: "rag-agent", queryId: "weather", version: "v1", variant: 1 }, "b/rag-agent/weather/v1.json"],
  [{ agent: "rag-agent", queryId: "weather", version: "v1", variant: 2 }, "b/rag-agent/weather/v1~2.json"],
  [{ agent: "../../etc", queryId: "..", version: "v1", variant: 1 }, "b/%2E.%2F..%2Fetc/%2E./v1.json"],
  [{ agent: "a/b", queryId: "x:y", version: "v1", variant: 1 }, "b/a%2Fb/x%3Ay/v1.json"],
])("the file of %o is inside the folder", (name, file) => {
  expect(baselineFile("b", name).replaceAll("\\", "/")).toBe(file);
});
