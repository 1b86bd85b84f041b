import { describe, expect, test } from "vitest";
import { z } from "zod";
import { evaluateQuery } from "../../src/evaluate/evaluate.ts";
import { tokenParts } from "../../src/evaluate/metrics/token-components.ts";
import { checks } from "../../src/evaluate/checks/registry.ts";
import { faultsOf } from "../../src/evaluate/result/faults.ts";
import { checksOf } from "../../src/model/outcome.ts";
import type { CheckResult } from "../../src/model/verdict.ts";
import { retrievalSchema, scoringSchema, spanAssertionSchema } from "../../src/evaluate/query/blocks.ts";
import { runOf, type RunText } from "../support/run-of.ts";
import { specOf } from "../support/spec-of.ts";

/** A query without the option, and with it: one run must come out differently. */
type Option = readonly [without: string, withIt: string, run: RunText];

const call = (name: string, given: Readonly<Record<string, number>>) => ({ name, arguments: given });
const calls = (more: string, limit = "[{ name: a, arguments: { x: 1, y: 2 } }]") =>
  `path: { expected_tool_calls: ${limit}${more} }`;
const halfRight: RunText = { tools: [call("a", { x: 1, y: 3 })] };
const researcher = (usage: { input: number; output: number }): RunText => ({
  llm: [{ agent: "r", usage, costUsd: 2 }],
  tools: [{ name: "t", agent: "r", durationMs: 9 }],
});
const budget = (of: string, key: string, most: number): readonly [string, string] => [
  `cost: { ${of}: { ${of === "agent_budgets" ? "r" : "t"}: {} } }`,
  `cost: { ${of}: { ${of === "agent_budgets" ? "r" : "t"}: { ${key}: ${most} } } }`,
];
const found = (scores: readonly (number | null)[], content = "thirty days"): RunText => ({
  retrievals: [
    {
      spanId: null,
      query: "q",
      documents: scores.map((score, at) => ({ id: `doc-${at}`, content, score })),
    },
  ],
});
const retrieval = (key: string) => ["retrieval: {}", `retrieval: { ${key} }`] as const;
const byTool = (result: string, answer = "Yes."): RunText => ({ tools: [{ name: "kb", result }], answer });
const span = (more: string) =>
  ["spans: [{ kind: tool, field: result }]", `spans: [{ kind: tool, field: result, ${more} }]`] as const;
const tools: RunText = {
  tools: [
    { name: "a", result: "open" },
    { name: "b", result: "open" },
  ],
};
const score = (more: string) =>
  `path: { expected_tools: [a, b], min_tool_recall: 0 }\n    scoring: { ${more} }`;
const weights = (t: number, s: number) =>
  `weights: { tool_accuracy: ${t}, output_quality: 0, sequence_correctness: ${s} }`;

const options: Readonly<Record<string, Option>> = {
  "grounded.in": [
    "correctness: { grounded: {} }",
    "correctness: { grounded: { in: arguments } }",
    { answer: "Hi.", tools: [{ name: "pay", arguments: { order: "ORD-77812" } }] },
  ],
  "grounded.kinds": [
    "correctness: { grounded: {} }",
    "correctness: { grounded: { kinds: [email] } }",
    { answer: "It costs 4711 dollars.", tools: ["a"] },
  ],
  "grounded.known": [
    "correctness: { grounded: {} }",
    'correctness: { grounded: { known: ["Every item costs 4711 dollars."] } }',
    { answer: "It costs 4711 dollars.", tools: ["a"] },
  ],
  "expected_tool_calls.name": [calls("", "[{ name: b }]"), calls("", "[{ name: a }]"), { tools: ["a"] }],
  "expected_tool_calls.arguments": [
    calls("", "[{ name: a }]"),
    calls("", "[{ name: a, arguments: { x: 1 } }]"),
    { tools: ["a"] },
  ],
  "expected_tool_calls.with_previous": [
    calls(", call_mode: same-order", "[{ name: b }, { name: a }]"),
    calls(", call_mode: same-order", "[{ name: b }, { name: a, with_previous: true }]"),
    { tools: ["a", "b"] },
  ],
  "rouge_1.reference": [
    "correctness: { rouge_1: { reference: No. } }",
    "correctness: { rouge_1: { reference: Yes. } }",
    { answer: "Yes." },
  ],
  "rouge_1.min": [
    "correctness: { rouge_1: { reference: Yes and no. } }",
    "correctness: { rouge_1: { reference: Yes and no., min: 0.4 } }",
    { answer: "Yes." },
  ],
  "tool_call_accuracy.variant": [
    calls(", tool_call_accuracy: { min: 0.5 }"),
    calls(", tool_call_accuracy: { min: 0.5, variant: ragas-python }"),
    halfRight,
  ],
  "tool_call_accuracy.mode": [
    calls(", tool_call_accuracy: { min: 1, argument_match_threshold: 0.5 }"),
    calls(", tool_call_accuracy: { min: 1, argument_match_threshold: 0.5, mode: flexible }"),
    halfRight,
  ],
  "tool_call_accuracy.argument_match_threshold": [
    calls(", tool_call_accuracy: { min: 1, mode: flexible }"),
    calls(", tool_call_accuracy: { min: 1, mode: flexible, argument_match_threshold: 0.5 }"),
    halfRight,
  ],
  "tool_call_accuracy.min": [
    calls(", tool_call_accuracy: {}"),
    calls(", tool_call_accuracy: { min: 0 }"),
    halfRight,
  ],
  "expected_steps.tool": [
    "path: { expected_steps: [{ tool: a }] }",
    "path: { expected_steps: [{ tool: b }] }",
    { tools: ["a"] },
  ],
  "expected_steps.agent": [
    "path: { expected_steps: [{ agent: billing }] }",
    "path: { expected_steps: [{ agent: sales }] }",
    { handoffs: ["billing"] },
  ],
  "expected_steps.weight": [
    "path: { min_progress: 0.6, expected_steps: [{ tool: a }, { tool: b }] }",
    "path: { min_progress: 0.6, expected_steps: [{ tool: a, weight: 3 }, { tool: b }] }",
    { tools: ["a"] },
  ],
  "agent_budgets.max_total_tokens": [
    ...budget("agent_budgets", "max_total_tokens", 9),
    researcher({ input: 9, output: 1 }),
  ],
  "agent_budgets.max_llm_calls": [
    ...budget("agent_budgets", "max_llm_calls", 0),
    researcher({ input: 9, output: 1 }),
  ],
  "agent_budgets.max_cost_usd": [
    ...budget("agent_budgets", "max_cost_usd", 1),
    researcher({ input: 9, output: 1 }),
  ],
  "agent_budgets.max_tool_calls": [
    ...budget("agent_budgets", "max_tool_calls", 0),
    researcher({ input: 9, output: 1 }),
  ],
  "tool_budgets.max_calls": [...budget("tool_budgets", "max_calls", 0), researcher({ input: 9, output: 1 })],
  "tool_budgets.max_latency_ms": [
    ...budget("tool_budgets", "max_latency_ms", 8),
    researcher({ input: 9, output: 1 }),
  ],
  "tool_budgets.max_call_latency_ms": [
    ...budget("tool_budgets", "max_call_latency_ms", 8),
    researcher({ input: 9, output: 1 }),
  ],
  "token_shares.min": [
    "cost: { token_shares: { cached: {} } }",
    "cost: { token_shares: { cached: { min: 0.9 } } }",
    { usage: { input: 9, output: 1, cached: 2 } },
  ],
  "token_shares.max": [
    "cost: { token_shares: { cached: {} } }",
    "cost: { token_shares: { cached: { max: 0.1 } } }",
    { usage: { input: 9, output: 1, cached: 2 } },
  ],
  "expected_steps.goal_alignment": [
    "path: { expected_steps: [a], max_strategic_drift: 0 }",
    "path: { expected_steps: [{ tool: a, goal_alignment: 0.5 }], max_strategic_drift: 0 }",
    { tools: ["a"] },
  ],
  "allowed_tools.tool": [
    "path: { expected_tools: [a], max_strategic_drift: 0 }",
    "path: { expected_tools: [a], max_strategic_drift: 0, allowed_tools: [{ tool: b }] }",
    { tools: ["a", "b"] },
  ],
  "allowed_tools.weight": [
    "path: { expected_tools: [], max_strategic_drift: 0.4, allowed_tools: [{ tool: b }] }",
    "path: { expected_tools: [], max_strategic_drift: 0.4, allowed_tools: [{ tool: b, weight: 2 }] }",
    { tools: ["b", "c"] },
  ],
  "allowed_tools.goal_alignment": [
    "path: { expected_tools: [a], max_strategic_drift: 0, allowed_tools: [{ tool: b }] }",
    "path: { expected_tools: [a], max_strategic_drift: 0, allowed_tools: [{ tool: b, goal_alignment: 0.5 }] }",
    { tools: ["a", "b"] },
  ],
  ...Object.fromEntries(
    tokenParts.map((part) => [
      `token_shares.${part}`,
      [
        "cost: { token_shares: {} }",
        `cost: { token_shares: { ${part}: 0.1 } }`,
        {
          usage: { input: 50, output: 50, cached: 50, cacheWrite: 50, reasoning: 50 },
          attributes: { [`tracejury.tokens.${part}`]: 50 },
        },
      ] as const,
    ]),
  ),
  "retrieval.tool": [
    "retrieval: { min_results: 1 }",
    "retrieval: { min_results: 1, tool: kb }",
    byTool('["a"]'),
  ],
  "retrieval.forbid_empty": [...retrieval("forbid_empty: true"), found([])],
  "retrieval.min_results": [...retrieval("min_results: 2"), found([1])],
  "retrieval.max_results": [...retrieval("max_results: 0"), found([1])],
  "retrieval.min_score": [...retrieval("min_score: 0.9"), found([0.5])],
  "retrieval.expected_sources": [...retrieval("expected_sources: [doc-9]"), found([1])],
  "retrieval.facts_in_context": [...retrieval("facts_in_context: [sixty days]"), found([1])],
  "retrieval.result_format": [
    "retrieval: { tool: kb, min_results: 2 }",
    "retrieval: { tool: kb, min_results: 2, result_format: text }",
    byTool('["a", "b"]'),
  ],
  "retrieval.empty_markers": [
    "retrieval: { tool: kb, min_results: 1 }",
    "retrieval: { tool: kb, min_results: 1, empty_markers: [nada] }",
    byTool("Nada aqui"),
  ],
  "retrieval.refusal_markers": [
    "retrieval: { forbid_empty: true }",
    "retrieval: { forbid_empty: true, refusal_markers: [no lo se] }",
    { ...found([]), answer: "No lo se." },
  ],
  "spans.kind": ["spans: [{ name: a }]", "spans: [{ name: a, kind: agent }]", tools],
  "spans.name": ["spans: [{ kind: tool }]", "spans: [{ kind: tool, name: c }]", tools],
  "spans.field": [
    "spans: [{ kind: tool, contains: 'b' }]",
    "spans: [{ kind: tool, name: b, field: result, contains: 'b' }]",
    { tools: [{ name: "b", result: "open" }] },
  ],
  "spans.equals": [...span("equals: shut"), tools],
  "spans.includes": [...span("includes: { state: shut }"), tools],
  "spans.some": [
    "spans: [{ kind: tool, name: a, field: arguments.n, equals: 2 }]",
    "spans: [{ kind: tool, name: a, field: arguments.n, equals: 2, some: true }]",
    {
      tools: [
        { name: "a", arguments: { n: 1 } },
        { name: "a", arguments: { n: 2 } },
      ],
    },
  ],
  "spans.contains": [...span("contains: shut"), tools],
  "spans.not_contains": [...span("not_contains: open"), tools],
  "spans.regex": [...span("regex: ^shut"), tools],
  "spans.min_count": [...span("min_count: 3"), tools],
  "spans.max_count": [...span("max_count: 1"), tools],
  "spans.judge": [...span("judge: { rule: It is kind. }"), tools],
  "scoring.weights": [
    score(`${weights(1, 0)}, min_score: 60`),
    score(`${weights(0.2, 0.8)}, min_score: 60`),
    { tools: ["a"] },
  ],
  "scoring.min_score": [score(weights(1, 0)), score(`${weights(1, 0)}, min_score: 60`), { tools: ["a"] }],
};

describe("each option of a check", () => {
  test("is in the table above", () => {
    const ofChecks = checks
      .filter(({ judged, key }) => judged !== true && key !== "json_schema")
      .flatMap(({ key, limit }) => namesIn(limit).map((name) => `${key}.${name}`));
    const ofBlocks = [
      ...Object.keys(retrievalSchema.shape).map((name) => `retrieval.${name}`),
      ...Object.keys(spanAssertionSchema.shape).map((name) => `spans.${name}`),
      ...Object.keys(scoringSchema.shape).map((name) => `scoring.${name}`),
    ];
    expect(Object.keys(options).sort()).toEqual([...new Set([...ofChecks, ...ofBlocks])].sort());
  });

  test.each(Object.entries(options))("%s changes an outcome", (_, [without, withIt, run]) => {
    expect(outcomes(withIt, run)).not.toEqual(outcomes(without, run));
  });
});

describe("a violation says what is at fault", () => {
  test.each(Object.entries(options))("of %s", (_, [without, withIt, run]) => {
    const violations = [...resultsOf(without, run), ...resultsOf(withIt, run)].filter(
      ({ outcome }) => outcome === "fail" || outcome === "warn",
    );
    expect(violations.filter((result) => faultsOf(result) === null)).toEqual([]);
  });
});

function outcomes(query: string, run: RunText): readonly string[] {
  return resultsOf(query, run).map(({ check, outcome }) => `${check} ${outcome}`);
}

function resultsOf(query: string, run: RunText): readonly CheckResult[] {
  const [first] = specOf(`agent: "*"\nqueries:\n  - query: "*"\n    ${query}\n`).queries;
  if (first === undefined) throw new Error("no query");
  const reference = { missing: "not-asked", version: null } as const;
  return checksOf(evaluateQuery(runOf(run), first, { reference, judge: "incomplete" }));
}

/** Names of the options that a limit may have. */
function namesIn(limit: z.ZodType): readonly string[] {
  const visit = (schema: unknown): string[] => {
    if (Array.isArray(schema)) return schema.flatMap(visit);
    if (typeof schema !== "object" || schema === null) return [];
    return Object.entries(schema).flatMap(([key, value]) => [
      ...(key === "properties" ? Object.keys(value as object) : []),
      ...visit(value),
    ]);
  };
  return visit(z.toJSONSchema(limit, { io: "input", unrepresentable: "any" }));
}
