import { readFileSync, realpathSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fileReader } from "../../src/config/find/file-reader.ts";
import { retrievalChecksOf } from "../../src/evaluate/checks/blocks/retrieval-checks.ts";
import { judgedSpanAssertion, spanAssertion } from "../../src/evaluate/checks/blocks/span-assertions.ts";
import { evaluateQuery } from "../../src/evaluate/evaluate.ts";
import { checks } from "../../src/evaluate/checks/registry.ts";
import { recordedValue, unitOf } from "../../src/support/telemetry/metrics/instruments/check-values.ts";
import { loadSpec } from "../../src/spec/load.ts";
import { runOf } from "../support/run-of.ts";

const retrieval = {
  forbid_empty: true,
  min_results: 1,
  max_results: 9,
  expected_sources: [],
  facts_in_context: [],
};
const withOwnMetric = [
  ...checks,
  ...retrievalChecksOf(retrieval).map(([, check]) => check),
  spanAssertion,
  judgedSpanAssertion,
].filter(({ key, metric, judged }) => metric !== key || judged === true || metric.startsWith("retrieval."));

describe("the unit of a check's value is known", () => {
  test.each(withOwnMetric.map(({ metric }) => metric))("for %s", (metric) => {
    expect(unitOf(metric)).not.toBe("unknown");
  });

  test("for every number that a spec with every key measures", () => {
    const file = "test/fixtures/specs/every-key.yaml";
    const loaded = loadSpec(
      { file, text: readFileSync(file, "utf8"), realPath: realpathSync(file) },
      { checks, reader: fileReader },
    );
    if (!loaded.ok) throw new Error("the spec is not valid");
    const run = runOf({
      query: "q",
      answer: "a",
      tools: ["search", { name: "get_order", error: "no" }],
      llm: [{ model: "m", usage: { input: 10, output: 5 }, costUsd: 0.01, durationMs: 5 }],
      usage: { input: 10, output: 5 },
      costUsd: 0.01,
    });
    const found = loaded.spec.queries.flatMap((query) =>
      Object.values(
        evaluateQuery(run, query, { reference: { missing: "not-asked", version: null }, judge: "off" })
          .layers,
      ).flatMap((layer) => layer.checks.filter(({ value }) => typeof value === "number")),
    );
    expect(found.length).toBeGreaterThan(10);
    const unknown = found.filter((check) => recordedValue(check)?.histogram === "tracejury.check.custom");
    expect(unknown.map(({ metric }) => metric)).toEqual([]);
  });
});

test("a retriever's scores and values of own checks are in no unit of ours", () => {
  expect(["retrieval.min_score", "checks.refund"].map(unitOf)).toEqual(["unknown", "unknown"]);
});
