import { describe, expect, test } from "vitest";
import { evaluateQuery } from "../../src/evaluate/evaluate.ts";
import type { JsonValue } from "../../src/model/json.ts";
import { conversationRun } from "../../src/pipeline/conversation/conversation-run.ts";
import { queryOf, referenceOf } from "../support/query-of.ts";
import { runOf, type RunText } from "../support/run-of.ts";

const odd = [-1, -1e9, NaN, Infinity, -Infinity, 1e300];

function costCheck(limits: Record<string, JsonValue>, run: RunText) {
  const options = { reference: referenceOf({ costUsd: 1 }), judge: "off" } as const;
  return evaluateQuery(runOf(run), queryOf({ cost: limits }), options).layers.cost.checks[0];
}

const budgets: readonly (readonly [Record<string, JsonValue>, (count: number) => RunText])[] = [
  [{ max_total_tokens: 100 }, (count) => ({ totalTokens: count })],
  [{ max_total_tokens: 100 }, (count) => ({ usage: { input: count, output: 1 } })],
  [
    { max_total_tokens: 100 },
    (count) => ({ totalTokens: 50, llm: [{ usage: { input: count, output: 1 } }] }),
  ],
  [{ max_cost_usd: 1 }, (count) => ({ costUsd: count })],
  [{ max_cost_usd: 1 }, (count) => ({ costUsd: 0.5, llm: [{ costUsd: count }, { costUsd: 0.7 }] })],
  [{ max_cost_multiplier: 1 }, (count) => ({ costUsd: count })],
  [{ max_latency_ms: 100 }, (count) => ({ durationMs: count })],
  [
    { agent_budgets: { a: { max_total_tokens: 10 } } },
    (count) => ({ llm: [{ agent: "a", usage: { input: count, output: 1 } }] }),
  ],
  [{ agent_budgets: { a: { max_cost_usd: 10 } } }, (count) => ({ llm: [{ agent: "a", costUsd: count }] })],
  [
    { tool_budgets: { t: { max_latency_ms: 10 } } },
    (count) => ({ tools: [{ name: "t", durationMs: count }] }),
  ],
  [
    { tool_budgets: { t: { max_call_latency_ms: 10 } } },
    (count) => ({ tools: [{ name: "t", durationMs: count }] }),
  ],
  [{ token_shares: { output: 0.5 } }, (count) => ({ usage: { input: 10, output: count } })],
  [{ max_schema_overhead: 10 }, (count) => ({ attributes: { "tracejury.tokens.tool_schema": count } })],
];

describe.each(odd)("a count of %f", (count) => {
  test.each(budgets)("satisfies no %j and exceeds none", (limits, run) => {
    expect(costCheck(limits, run(count))?.outcome).toBe("incomplete");
  });
});

test("a part that is known and too much still exceeds a budget", () => {
  const llm = [{ usage: { input: -5, output: 1 } }, { usage: { input: 500, output: 1 } }];
  expect(costCheck({ max_total_tokens: 100 }, { llm, totalTokens: 497 })?.outcome).toBe("warn");
});

test("the duration of a conversation of one turn is that turn's, to the nanosecond", () => {
  const turn = runOf({ startUnixMs: 1_760_000_000_000.123, durationMs: 0.000333 });
  expect(conversationRun([turn]).durationMs).toBe(0.000333);
});
