import { readFileSync, realpathSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { fileReader } from "../../src/config/find/file-reader.ts";
import { evaluateQuery } from "../../src/evaluate/evaluate.ts";
import { evaluateWithJudges } from "../../src/evaluate/evaluate-with-judges.ts";
import { checks } from "../../src/evaluate/checks/registry.ts";
import type { CheckResult } from "../../src/model/verdict.ts";
import type { CompiledQuery, CompiledSpec } from "../../src/evaluate/query/compiled.ts";
import { specJsonSchema } from "../../src/spec/reference/json-schema.ts";
import { loadSpec } from "../../src/spec/load.ts";
import { judgesOf } from "../judge/support/judging.ts";
import { replied, scriptedPort } from "../judge/support/scripted-port.ts";
import { queryOf } from "../support/query-of.ts";
import { runOf, type RunText } from "../support/run-of.ts";
import { schemaKeys } from "../support/schema-keys.ts";
import { specOf } from "../support/spec-of.ts";

const file = "test/fixtures/specs/every-key.yaml";
const text = readFileSync(file, "utf8");

function loaded(): CompiledSpec {
  const result = loadSpec({ file, text, realPath: realpathSync(file) }, { checks, reader: fileReader });
  if (!result.ok) throw new Error(result.problems.map(({ message }) => message).join("\n"));
  return result.spec;
}

function query(id: string): CompiledQuery {
  const found = loaded().queries.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no query ${id}`);
  return found;
}

describe("a spec with every key", () => {
  test("is valid, and has every key that the JSON Schema knows", () => {
    const written = new Set(keysOf(parse(text)));
    const known = new Set(schemaKeys(specJsonSchema(checks)));

    expect([...known].filter((key) => !written.has(key))).toEqual([]);
    expect(loaded().queries.map(({ id }) => id)).toEqual([
      "refund",
      "chat",
      "rest",
      "known",
      "case-1",
      "case-2",
    ]);
  });

  test("has a result for every check that it writes, none of them an error", () => {
    const results = Object.values(
      evaluateQuery(runOf(), query("refund"), {
        reference: { missing: "no-file", version: "v1" },
        judge: "off",
      }).layers,
    ).flatMap((layer) => layer.checks);
    const said = new Set(results.map(({ check }) => check));

    expect(results.filter(({ outcome }) => outcome === "error")).toEqual([]);
    expect(
      checks.filter(({ key, qualifier }) => qualifier !== true && !said.has(key)).map(({ key }) => key),
    ).toEqual([]);
  });
});

/** A reply of each kind of question, good or bad. */
function judge(isGood: boolean) {
  const score = isGood ? 5 : 1;
  return scriptedPort(({ rubric }, n) => {
    if (rubric === "goal_accuracy") return replied({ goal: "g", achieved: isGood, rationale: "r" });
    if (rubric === "topic_adherence") {
      return replied({
        topics: n === 0 ? ["orders"] : [{ topic: 1, allowed: isGood ? [1] : [] }],
        rationale: "r",
      });
    }
    return replied({ score, label: isGood ? "pass" : "fail", rationale: "r", claims: [] });
  });
}

describe("each key that asks a judge", () => {
  const keys = checks.filter(({ judged }) => judged === true).map(({ key }) => key);
  const limits: Readonly<Record<string, string>> = {
    llm_judge: "[{ rule: It is kind. }]",
    goal_accuracy: "the order is on its way",
    topic_adherence: "{ topics: [orders] }",
  };

  test.each(keys)("%s passes and fails with the judge", async (key) => {
    const asked = async (isGood: boolean): Promise<readonly CheckResult[]> => {
      const spec = specOf(
        `agent: "*"\nqueries: [{ query: "*", correctness: { ${key}: ${limits[key] ?? "true"} } }]`,
      );
      const [first] = spec.queries;
      if (first === undefined) throw new Error("no query");
      const { layers } = await evaluateWithJudges(runOf({ tools: ["lookup"] }), first, {
        reference: { missing: "not-asked", version: null },
        judges: judgesOf(judge(isGood)),
        judgeSkipPolicy: { judge: "incomplete" },
        spec: { settings: {}, contextFile: () => undefined },
        compiled: spec,
      });
      return layers.correctness.checks.filter(({ check }) => check === key);
    };

    expect((await asked(true)).map(({ outcome }) => outcome)).toEqual(["pass"]);
    expect((await asked(false)).map(({ outcome }) => outcome)).toEqual(["fail"]);
  });
});

describe("each key that qualifies another", () => {
  const changes: Readonly<Record<string, { with: object; without: object; tools: RunText["tools"] }>> = {
    sequence_mode: {
      without: { expected_tool_sequence: ["a", "b"] },
      with: { expected_tool_sequence: ["a", "b"], sequence_mode: "same-calls" },
      tools: ["b", "a"],
    },
    call_mode: {
      without: { expected_tool_calls: [{ name: "a" }] },
      with: { expected_tool_calls: [{ name: "a" }], call_mode: "contains-calls" },
      tools: ["a", "b"],
    },
    sequence_metric: {
      without: { expected_tool_sequence: ["a", "b"], min_sequence_similarity: 0.5 },
      with: { expected_tool_sequence: ["a", "b"], min_sequence_similarity: 0.5, sequence_metric: "edit" },
      tools: ["b", "a"],
    },
    tool_categories: {
      without: { expected_tool_categories: ["crm"] },
      with: { expected_tool_categories: ["crm"], tool_categories: { crm: ["a"] } },
      tools: ["a"],
    },
    succeeded: {
      without: { expected_tools: ["a"] },
      with: { expected_tools: ["a"], succeeded: true },
      tools: [{ name: "a", error: "timed out" }],
    },
    allowed_tools: {
      without: { expected_tools: ["b"], max_strategic_drift: 0.2 },
      with: { expected_tools: ["b"], max_strategic_drift: 0.2, allowed_tools: ["a"] },
      tools: ["a", "b"],
    },
  };

  test("is in the table below", () => {
    expect(Object.keys(changes).sort()).toEqual(
      checks
        .filter(({ qualifier }) => qualifier === true)
        .map(({ key }) => key)
        .sort(),
    );
  });

  test.each(Object.entries(changes))("%s changes an outcome", (_, written) => {
    const outcomes = (path: object): readonly string[] =>
      evaluateQuery(runOf({ tools: written.tools ?? [] }), queryOf({ path: path as never }), {
        reference: { missing: "not-asked", version: null },
        judge: "off",
      })
        .layers.path.checks.filter(({ check }) => !(check in changes))
        .map(({ outcome }) => outcome);

    expect(outcomes(written.with)).not.toEqual(outcomes(written.without));
  });
});

/** Names of all keys in a document. */
function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...keysOf(item)]);
}
