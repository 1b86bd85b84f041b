import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checksOf } from "../../src/model/outcome.ts";
import { evaluationOf, queryIn } from "../support/evaluation-of.ts";
import { runOf, type RunText } from "../support/run-of.ts";
import { specOf } from "../support/spec-of.ts";

/** One line of `verdicts.jsonl`: what a query says of a run without judges. */
interface Row {
  readonly of: string;
  readonly case: string;
  /** Blocks of the query, and a preset. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The value "!unknown" was not captured. */
  readonly run: RunText;
  /** Outcomes of the checks in order, or fields of the evaluation and of its checks by key. */
  readonly is: string | object;
}

function withUnknown(value: unknown): unknown {
  if (value === "!unknown") return undefined;
  if (Array.isArray(value)) return value.map(withUnknown);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withUnknown(one)]));
}

const lines = readFileSync("test/evaluate/verdicts.jsonl", "utf8").trim().split("\n");
const rows = lines.map((line) => JSON.parse(line) as Row);

describe.each([...new Set(rows.map((row) => row.of))])("%s", (group) => {
  const own = rows.filter((row) => row.of === group);

  test.each(own)("$case: $query of $run", ({ query: { preset, ...blocks }, run, is }) => {
    const root = preset === undefined ? {} : { preset };
    const spec = { version: 1, agent: "*", ...root, queries: [{ query: "*", ...blocks }] };
    const query = queryIn(specOf(JSON.stringify(spec)));
    const evaluation = evaluationOf(runOf(withUnknown(run) as RunText), query);
    const checks = checksOf(evaluation);
    const written = checks.filter(({ check }) => check !== "run_status");
    const outcomes = written.map(({ outcome }) => outcome).join(" ");
    const byKey = Object.fromEntries(checks.map((check) => [check.check, check]));
    const expected = typeof is === "string" ? { outcomes: is } : is;
    expect({ ...evaluation, ...byKey, outcomes }).toMatchObject(expected);
  });
});
