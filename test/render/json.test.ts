import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { reportUnjudged, reportVerdict } from "../../src/report/render/findings/reported.ts";
import { resultJson } from "../support/result-json.ts";
import { runJson } from "../../src/report/json/run-json.ts";
import { verdictJson } from "../../src/report/json/verdict-json.ts";
import { resultSchema, verdictJsonSchema, verdictSchema } from "../../src/report/json/verdict-schema.ts";
import type { QueryText } from "../support/query-of.ts";
import { resultOf } from "../support/result-of.ts";
import { runOf, type RunText } from "../support/run-of.ts";
import { evaluated } from "../support/evaluated.ts";

const rich: RunText = {
  tools: [
    "search",
    { name: null, arguments: undefined, result: undefined, executed: null, error: "timeout" },
  ],
  handoffs: ["billing"],
  handoffsAvailable: ["billing"],
  retrievals: [{ spanId: null, query: "q", documents: [{ id: "1", content: null, score: 0.5 }] }],
  guardrails: [{ spanId: null, name: "pii", triggered: null }],
  llm: [{ usage: { input: 5, output: 6 }, costUsd: 0.1 }],
  usage: { input: 5, output: 6 },
  attributes: { "service.version": "1", "gen_ai.agent.id": "a" },
  missing: [{ what: "tool_arguments", why: "content capture is off" }],
  messages: [
    { role: "user", name: null, text: "Hi", calls: [], results: [] },
    {
      role: "assistant",
      name: null,
      text: null,
      calls: [{ id: "1", name: "search", arguments: undefined }],
      results: [],
    },
    {
      role: "tool",
      name: null,
      text: null,
      calls: [],
      results: [{ callId: "1", name: null, content: "x", isError: false }],
    },
  ],
  systemInstructions: "Be brief.",
  toolDefinitions: [{ name: "search" }],
};

describe("a run", () => {
  test("has the documented keys in the documented order", () => {
    const json = runJson(runOf(rich));
    expect(Object.keys(json).join(" ")).toBe(
      "trace_id run_id root_span_id service agent final_agent conversation_id query answer status error tools handoffs " +
        "handoffs_available retrievals guardrails llm_calls llm input_tokens output_tokens cached_tokens cache_write_tokens " +
        "reasoning_tokens total_tokens models response_models cost_usd price_source duration_ms attributes dialects complete " +
        "close_reason missing",
    );
    const keysOf = (key: string): string => Object.keys((json[key] as readonly object[])[0] ?? {}).join(" ");
    expect(keysOf("tools")).toBe(
      "name arguments result error agent call_id start_unix_ms duration_ms executed retried",
    );
    expect(keysOf("handoffs")).toBe("from to kind inferred tool");
    expect(keysOf("retrievals")).toBe("query documents");
    expect(keysOf("guardrails")).toBe("name triggered");
    expect(keysOf("missing")).toBe("what why");
    expect(keysOf("llm")).toBe(
      "agent model response_model finish_reason input_tokens output_tokens cached_tokens reasoning_tokens cost_usd start_unix_ms duration_ms error",
    );
  });

  test("tells messages, instructions and tool definitions only in full", () => {
    expect(runJson(runOf(rich))).not.toHaveProperty("messages");
    expect(Object.keys(runJson(runOf(rich), true)).slice(-3)).toEqual([
      "messages",
      "system_instructions",
      "tool_definitions",
    ]);
    expect(runJson(runOf(rich), true)).toMatchObject({
      messages: [
        { role: "user", text: "Hi" },
        { calls: [{ name: "search", arguments: null }] },
        { results: [{ call_id: "1", is_error: false }] },
      ],
      system_instructions: "Be brief.",
    });
  });

  test("an attribute called __proto__ is an attribute", () => {
    const attributes = JSON.parse('{"__proto__": "x", "a": 1}') as Record<string, string>;
    const json = JSON.stringify(runJson({ ...runOf(), attributes: new Map(Object.entries(attributes)) }));
    expect(json).toContain('"attributes":{"__proto__":"x","a":1}');
  });
});

const verdicts: readonly [what: string, query: QueryText, run: RunText][] = [
  ["a passing verdict", { path: { max_tool_calls: 3 } }, rich],
  [
    "a failing one",
    { correctness: { exact_match: "x", grounded: {}, json_schema: { type: "object" } } },
    rich,
  ],
  ["a forbidden tool", { path: { forbidden_tools: ["search"] } }, rich],
  [
    "an incomplete one",
    { path: { expected_tools: ["x"] }, cost: { max_cost_usd: 1 } },
    { ...rich, complete: false },
  ],
  ["judges that were not asked", { correctness: { llm_judge: [{ rule: "r" }], safety_check: true } }, rich],
  [
    "limits of every type",
    {
      path: {
        tool_call_accuracy: { min: 1 },
        expected_tool_calls: [{ name: "a", arguments: { n: [null] } }],
      },
    },
    rich,
  ],
  ["an unknown query and agent", {}, { query: null, agent: null, service: null }],
];

test("values, limits and attributes of a verdict keep keys that are named __proto__", () => {
  const json = verdictJson(evaluated({ correctness: { not_in_answer: ["x"] } }, rich));
  const odd: unknown = JSON.parse('{"a":{"__proto__":{"b":1}},"__proto__":2}');
  const { correctness } = json.layers;
  const checks = correctness.checks.map((check) => ({ ...check, value: odd, limit: odd }));
  const written = { ...json, layers: { ...json.layers, correctness: { ...correctness, checks } } };
  expect(JSON.stringify(verdictSchema.parse(written))).toBe(JSON.stringify(written));
});

describe("the published JSON Schema", () => {
  const validate = new Ajv2020({ strict: false }).compile(verdictJsonSchema());
  const stray = reportUnjudged({ run: runOf(), spec: "s", reason: "r", candidates: ["a"] });
  const result = resultJson(
    resultOf({
      verdicts: verdicts.map(([, query, run]) => reportVerdict(evaluated(query, run))),
      missing: [{ queryId: "q", query: "Q", spec: "s" }],
      unmatched: [stray],
      ambiguous: [stray],
      invalidInput: [
        { file: "f", line: null, reason: "r" },
        { file: "f", line: 3, reason: "r" },
      ],
    }),
  );

  test("refuses what is not", () => {
    expect(validate({ ...result, format_version: 2 })).toBe(false);
    expect(validate({ ...result, verdicts: [{ ...result.verdicts[0], outcome: "maybe" }] })).toBe(false);
  });

  test("accepts what is written, as does the schema it is made from", () => {
    const written: unknown = JSON.parse(JSON.stringify(result));
    validate(written);
    expect(validate.errors).toBeNull();
    expect(resultSchema.safeParse(written).success).toBe(true);
  });
});
