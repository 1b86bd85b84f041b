import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { evaluateQuery } from "../../src/evaluate/evaluate.ts";
import { checks } from "../../src/evaluate/checks/registry.ts";
import { faultsOf } from "../../src/evaluate/result/faults.ts";
import { checksOf } from "../../src/model/outcome.ts";
import type { CheckResult } from "../../src/model/verdict.ts";
import { retrievalSchema, scoringSchema, spanAssertionSchema } from "../../src/evaluate/query/blocks.ts";
import { runOf, type RunText } from "../support/run-of.ts";
import { schemaKeys } from "../support/schema-keys.ts";
import { specOf } from "../support/spec-of.ts";

/** One line of `options.jsonl`: a run that comes out differently if a query has the option. */
interface Row {
  readonly option: string;
  readonly without: string;
  readonly with: string;
  readonly run: RunText;
}

const lines = readFileSync("test/spec/options.jsonl", "utf8").trim().split("\n");
const options = lines.map((line) => JSON.parse(line) as Row);

describe("each option of a check", () => {
  test("is in the table", () => {
    const ofChecks = checks
      .filter(({ judged, key }) => judged !== true && key !== "json_schema")
      .flatMap(({ key, limit }) => namesIn(limit).map((name) => `${key}.${name}`));
    const ofBlocks = [
      ...Object.keys(retrievalSchema.shape).map((name) => `retrieval.${name}`),
      ...Object.keys(spanAssertionSchema.shape).map((name) => `spans.${name}`),
      ...Object.keys(scoringSchema.shape).map((name) => `scoring.${name}`),
    ];
    expect(options.map(({ option }) => option).sort()).toEqual(
      [...new Set([...ofChecks, ...ofBlocks])].sort(),
    );
  });

  test.each(options)("$option changes an outcome", ({ without, with: withIt, run }) => {
    expect(outcomes(withIt, run)).not.toEqual(outcomes(without, run));
  });
});

test.each(options)("a violation of $option says what is at fault", ({ without, with: withIt, run }) => {
  const violations = [...resultsOf(without, run), ...resultsOf(withIt, run)].filter(
    ({ outcome }) => outcome === "fail" || outcome === "warn",
  );
  expect(violations.filter((result) => faultsOf(result) === null)).toEqual([]);
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
  return schemaKeys(z.toJSONSchema(limit, { io: "input", unrepresentable: "any" }));
}
