import { describe, expect, test } from "vitest";
import { defineCheck } from "../../src/evaluate/checks/check.ts";
import { verdictId } from "../../src/evaluate/result/verdict.ts";
import type { CompiledQuery, CompiledSpec } from "../../src/evaluate/query/compiled.ts";
import type { CloseReason } from "../../src/model/run.ts";
import { z } from "zod";
import { evaluated } from "../support/evaluated.ts";
import { evaluationOf } from "../support/evaluation-of.ts";
import { queryOf, type QueryText } from "../support/query-of.ts";
import { runOf, type RunText } from "../support/run-of.ts";

function judgedOff(query: QueryText, run: RunText) {
  return evaluationOf(runOf(run), queryOf(query));
}

const tooManyCalls = { path: { max_tool_calls: 0 } };
const busy: RunText = { tools: ["a"], usage: { input: 10, output: 1 } };

const cut: RunText = { complete: false, closeReason: "idle" };
test("an incomplete run says so, with a remedy, and says the same however it was closed", () => {
  const results = (["idle", "eof", "shutdown", "max_age"] satisfies CloseReason[]).map((closeReason) =>
    judgedOff({ path: { max_tool_calls: 5 } }, { ...cut, closeReason }),
  );
  expect(results[0]?.layers.path.checks[0]).toMatchObject({
    outcome: "incomplete",
    value: 0,
    missing: ["run"],
    remedy: expect.stringContaining("flush") as string,
    message: "the run is not complete; with the received spans: 0 tool calls, at most 5 allowed",
  });
  expect(new Set(results.map((result) => JSON.stringify(result.layers))).size).toBe(1);
});

test("a check that breaks is an error of ours and stops nothing else", () => {
  const broken = defineCheck({
    key: "broken",
    layer: "path",
    metric: "broken",
    summary: "Breaks.",
    limit: z.number(),
    undoable: true,
    evaluate() {
      throw new Error("out of luck");
    },
  });
  const query = queryOf(tooManyCalls);
  const [bound] = query.checks;
  const checks = bound === undefined ? [] : [{ ...bound, check: broken }, bound];
  const { layers, outcome } = evaluationOf(runOf(busy), { ...query, checks });
  expect(outcome).toBe("error");
  expect(layers.path.checks.map(({ check, outcome }) => `${check} ${outcome}`)).toEqual([
    "broken error",
    "max_tool_calls warn",
  ]);
  expect(layers.path.checks[0]).toMatchObject({
    message: "the check itself failed: out of luck",
    remedy: expect.any(String) as string,
  });
});

describe("metrics", () => {
  test("are all there, null where they cannot be computed", () => {
    const { metrics } = judgedOff({}, { ...busy, answer: null });
    const unknown = `tool_recall tool_precision tool_f1 tool_call_accuracy sequence_similarity edit_similarity
      skipped_steps progress progress_raw strategic_drift cfp pr_revert_rate cached_tokens
      cache_write_tokens reasoning_tokens llm_calls cost_usd cost_multiplier token_ratio
      latency_ratio schema_overhead skill_efficiency token_efficiency cached_share
      cache_write_share reasoning_share`;
    const zero = `tool_errors loops same_argument_loops cycle_repeats retries stalled_calls unrecovered_errors
      anomalies handoffs`;
    const each = (names: string, value: number | null) =>
      Object.fromEntries(names.split(/\s+/).map((name) => [name, value]));
    const tokens = { total_tokens: 11, input_tokens: 10, output_tokens: 1 };
    const known = { ...each(zero, 0), ...tokens, tool_calls: 1, latency_ms: 1000 };
    expect(Object.fromEntries(metrics)).toEqual({ ...each(unknown, null), ...known });
  });

  test("do not take an unknown for a zero", () => {
    const missing = ["tools", "handoffs"].map((what) => ({ what, why: "not recorded" }));
    const { metrics } = judgedOff({}, { missing });
    expect(Object.fromEntries(metrics)).toMatchObject({
      tool_calls: null,
      tool_errors: null,
      loops: null,
      handoffs: null,
    });
  });

  test("repeats whose arguments were not captured may or may not be the same", () => {
    const blind = { name: "a", arguments: undefined };
    expect(judgedOff({}, { tools: [blind, blind, blind] }).metrics.get("same_argument_loops")).toBeNull();
    expect(judgedOff({}, { tools: ["a", "a", "a"] }).metrics.get("same_argument_loops")).toBe(1);
  });
});

describe("a verdict", () => {
  const query: CompiledQuery = queryOf(tooManyCalls);
  const spec: CompiledSpec = {
    name: "shop",
    file: "specs/shop.yaml",
    hash: "0123456789ab",
    agent: "support",
    baselineDir: "baselines",
    baseline: undefined,
    judgeConfig: {},
    waivers: [],
    queries: [query],
  };
  const run = runOf(busy);

  test("has the same id over revisions, and another for another run, query or spec", () => {
    const id = verdictId(run, spec, query);
    expect(id).toMatch(/^4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-[0-9a-f]{16}$/);
    expect(verdictId(runOf({ answer: "later" }), { ...spec }, { ...query })).toBe(id);
    const others = [
      verdictId(runOf({ runId: "another" }), spec, query),
      verdictId(run, { ...spec, hash: "other" }, { ...query }),
      verdictId(run, spec, { ...query, id: "other" }),
      verdictId(run, { ...spec, name: "other" }, { ...query }),
    ];
    expect(new Set([id, ...others]).size).toBe(5);
  });

  test("carries the evaluation, the match and where it comes from", () => {
    expect(evaluated(tooManyCalls, busy)).toMatchObject({
      spec: "rag-agent",
      specAgent: "rag-agent",
      queryId: "where-is-my-order",
      match: { how: "exact", score: 1 },
      outcome: "warn",
      hardFail: false,
      layers: judgedOff(tooManyCalls, busy).layers,
      provenance: { specHash: "0123456789ab", engine: "0.0.0", judge: [], prices: null },
    });
  });
});
