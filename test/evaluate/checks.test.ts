import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { NoReference, Reference } from "../../src/evaluate/checks/check.ts";
import { checks } from "../../src/evaluate/checks/registry.ts";
import type { JsonValue } from "../../src/model/json.ts";
import type { ToolCall } from "../../src/model/run.ts";
import type { CheckResult } from "../../src/model/verdict.ts";
import { evaluationOf, notAsked } from "../support/evaluation-of.ts";
import { queryOf, type QueryText, referenceOf } from "../support/query-of.ts";
import { runOf, type RunText, spanId } from "../support/run-of.ts";

/** The result of one key of a query about a run. */
function resultOf(
  key: string,
  query: QueryText,
  run: RunText,
  reference: Reference | NoReference = notAsked,
): CheckResult {
  const { layers } = evaluationOf(runOf(run), queryOf(query), { reference });
  const results = [...layers.correctness.checks, ...layers.path.checks, ...layers.cost.checks];
  const found = results.find(({ check }) => check === key);
  if (found === undefined) throw new Error(`no result of ${key}`);
  return found;
}

interface Case {
  readonly key: string;
  readonly query: QueryText;
  readonly passes: RunText;
  readonly breaks: RunText;
  /** Value on the breaking run. */
  readonly value: JsonValue;
  /** What the message on the breaking run says. */
  readonly says: string;
  readonly reference?: Reference;
}

/** For every deterministic check a run that passes and one that does not: a line each, and those about conversations. */
const cases: readonly Case[] = [
  ...readFileSync("test/evaluate/checks.jsonl", "utf8").trim().split("\n").map(caseOf),
  {
    key: "min_coherence",
    query: { path: { min_coherence: 1 } },
    passes: { turns: [runOf({ answer: "The door is open." }), runOf({ answer: "It is open, as I said." })] },
    breaks: { turns: [runOf({ answer: "The door is open." }), runOf({ answer: "The door is not open." })] },
    value: 0.8,
    says: "coherence 0.8 over 2 turns, at least 1 required: output_contradiction (turn 2 contradicts turn 1 about door open)",
  },
];

function caseOf(line: string): Case {
  const { reference, ...rest } = JSON.parse(line) as Omit<Case, "reference"> & {
    readonly reference?: Parameters<typeof referenceOf>[0];
  };
  return reference === undefined ? rest : { ...rest, reference: referenceOf(reference) };
}

test("the table below knows every deterministic check", () => {
  const deterministic = checks.filter(({ judged, qualifier }) => judged !== true && qualifier !== true);
  expect(cases.map(({ key }) => key).sort()).toEqual(deterministic.map(({ key }) => key).sort());
});

describe.each(cases)("$key", ({ key, query, passes, breaks, value, says, reference }) => {
  test("passes", () => {
    expect(resultOf(key, query, passes, reference)).toMatchObject({
      outcome: "pass",
      missing: [],
      remedy: null,
    });
  });

  test("is violated, and says what happened", () => {
    const result = resultOf(key, query, breaks, reference);
    const expected = result.layer === "correctness" || key === "forbidden_tools" ? "fail" : "warn";
    expect(result).toMatchObject({ outcome: expected, value });
    expect(result.message).toContain(says);
    expect(result.source).toMatchObject({ file: "spec.yaml" });
  });

  test("keeps the limit as written and never blames the agent for what was not captured", () => {
    const written = Object.values({ ...query.correctness, ...query.path, ...query.cost });
    const blind = runOf({
      answer: null,
      query: null,
      llmCalls: null,
      missing: ["tools", "handoffs", "answer", "usage"].map((what) => ({ what, why: "not recorded" })),
    });
    const { layers } = evaluationOf(blind, queryOf(query), { reference: reference ?? notAsked });
    const result = [layers.correctness, layers.path, layers.cost]
      .flatMap((layer) => layer.checks)
      .find(({ check }) => check === key);
    expect(written).toContainEqual(result?.limit);
    if (key === "max_latency_ms" || key === "min_coherence" || key === "run_status") return;
    expect(result).toMatchObject({ outcome: "incomplete" });
    expect(result?.missing).not.toEqual([]);
    expect(result?.remedy).toBeTruthy();
  });
});

describe("spans a violation rests on", () => {
  test("the forbidden calls", () => {
    const { spanIds } = resultOf(
      "forbidden_tools",
      { path: { forbidden_tools: ["rm"] } },
      { tools: ["a", "rm", "b", "rm"] },
    );
    expect(spanIds).toEqual(["7000000000000002", "7000000000000004"]);
  });
});

describe("calls that do not count", () => {
  test("a call the model asked for and nobody ran is not used; one that may have run is", () => {
    const tools = [{ name: "a", executed: false }, { name: "b", executed: null }, "c"];
    expect(resultOf("max_tool_calls", { path: { max_tool_calls: 2 } }, { tools })).toMatchObject({
      outcome: "pass",
      value: 2,
    });
  });
});

describe("answers", () => {
  test.each([
    ["case", { answer: "Yes" }, "differs from the expected text in case only"],
    ["more around it", { answer: "The answer is yes." }, "contains the expected text and further text"],
    ["nothing", { answer: "  " }, "is empty"],
  ])("exact_match names the difference: %s", (_, run, says) => {
    expect(resultOf("exact_match", { correctness: { exact_match: "yes" } }, run).message).toContain(says);
  });

  test("under preset promptfoo patterns are JavaScript's, and names of tools patterns without case", () => {
    const preset = "promptfoo";
    const pattern = (regex_match: string, answer: string): string =>
      resultOf("regex_match", { preset, correctness: { regex_match } }, { answer }).outcome;
    expect([pattern(String.raw`^\d$`, "4\n"), pattern("a.b", "a\rb"), pattern(String.raw`\w`, "é")]).toEqual([
      "fail",
      "fail",
      "fail",
    ]);
    const tools = (path: NonNullable<QueryText["path"]>, ...names: readonly string[]): string =>
      resultOf(Object.keys(path)[0] ?? "", { preset, path }, { tools: names }).outcome;
    expect(tools({ expected_tools: ["web_*", "pay"] }, "Web_Search", "PAY")).toBe("pass");
    expect(tools({ expected_tools: ["web_*", "pay"] }, "search", "PAY")).toBe("warn");
    const steps = ["*search", "b?y"];
    expect(tools({ expected_tool_sequence: steps }, "web_search", "Buy")).toBe("pass");
    expect(tools({ expected_tool_sequence: steps }, "Buy", "web_search")).toBe("warn");
    const inOrder = { expected_tool_sequence: steps, sequence_mode: "contains-in-order" };
    expect(tools(inOrder, "web_search", "search", "pay", "buy")).toBe("pass");
    expect(tools(inOrder, "buy", "search")).toBe("warn");
  });

  test("json_schema says when the answer is JSON in a code fence", () => {
    const run = { answer: '```json\n{"n":1}\n```' };
    expect(resultOf("json_schema", { correctness: { json_schema: {} } }, run).message).toContain(
      "Markdown code fence",
    );
  });

  test("a pattern that would take exponential time elsewhere answers at once, in regex_match and json_schema", () => {
    const run = { answer: JSON.stringify(`${"a".repeat(20_000)}!`) };
    expect(resultOf("regex_match", { correctness: { regex_match: '^"(a+)+"$' } }, run).outcome).toBe("fail");
    const json_schema = { type: "string", pattern: "^(a+)+$" };
    expect(resultOf("json_schema", { correctness: { json_schema } }, run).outcome).toBe("fail");
  });

  test("refutes_premise suspends the word lists", () => {
    const correctness = { expected_in_answer: ["x"], not_in_answer: ["way"], refutes_premise: true };
    for (const key of ["expected_in_answer", "not_in_answer"]) {
      expect(resultOf(key, { correctness }, {})).toMatchObject({
        outcome: "skip",
        message: expect.stringContaining("refutes_premise") as string,
      });
    }
    const without = { not_in_answer: ["way"], refutes_premise: false };
    expect(resultOf("not_in_answer", { correctness: without }, {}).outcome).toBe("fail");
  });
});

describe("expected tools", () => {
  test.each(["min_tool_recall", "min_tool_precision", "min_tool_f1", "min_sequence_similarity"])(
    "%s falls back on the baseline's tools",
    (key) => {
      const path = { [key]: 1 };
      const reference = referenceOf({ tools: ["a", "b"] });
      expect(resultOf(key, { path }, { tools: ["a", "b"] }, reference).outcome).toBe("pass");
      expect(resultOf(key, { path }, { tools: ["c"] }, reference).outcome).toBe("warn");
    },
  );
});

describe("without a reference", () => {
  const keys = [
    ["match_mode", { path: { match_mode: "contains" } }],
    ["min_sequence_similarity", { path: { min_sequence_similarity: 0.5 } }],
    ["min_tool_recall", { path: { min_tool_recall: 0.5 } }],
    ["max_cost_multiplier", { cost: { max_cost_multiplier: 2 } }],
  ] as const;

  test.each(keys)("%s is incomplete when the baseline asked for has no file", (key, query) => {
    const result = resultOf(key, query, {}, { missing: "no-file", version: "v2" });
    expect(result).toMatchObject({
      outcome: "incomplete",
      missing: ["reference"],
      message: expect.stringContaining("v2") as string,
    });
  });

  test.each([
    ["unknown", null, "incomplete"],
    ["nothing", 0, "skip"],
  ])("a baseline that cost %s gives no multiplier", (_, costUsd, outcome) => {
    const result = resultOf(
      "max_cost_multiplier",
      { cost: { max_cost_multiplier: 2 } },
      { costUsd: 1 },
      referenceOf({ costUsd }),
    );
    expect(result.outcome).toBe(outcome);
  });

  const drift = (path: QueryText["path"], run: RunText) =>
    resultOf("max_strategic_drift", { path: { ...path, max_strategic_drift: 0.2 } }, run);

  test("goal_alignment of a step or an allowed tool grades its calls in drift", () => {
    const path = {
      expected_steps: [
        { tool: "plan", weight: 2 },
        { tool: "guess", goal_alignment: 0.5 },
      ],
      allowed_tools: [{ tool: "note", goal_alignment: 0.75 }],
    };
    expect(drift(path, { tools: ["plan", "note", "guess"] })).toMatchObject({
      outcome: "pass",
      value: 1 - (2 + 0.75 + 0.5) / 4,
    });
    expect(drift(path, { tools: ["plan", "guess", "guess", "note"] })).toMatchObject({
      outcome: "warn",
      value: 1 - (2 + 0.5 + 0.5 + 0.75) / 5,
      message:
        "strategic drift 0.25, at most 0.2 allowed: calls that do not fully serve the goal: guess (goal alignment 0.5) ×2 and note (goal alignment 0.75)",
      spanIds: [2, 3, 4].map((n) => spanId(0x7, n)),
    });
  });

  test("goal_alignment that the run's root gives comes before the spec's", () => {
    const graded = (name: string, grade: unknown) => ({
      [`tracejury.goal_alignment.${name}`]: grade as JsonValue,
    });
    const of = (attributes: RunText["attributes"]) =>
      drift({ expected_tools: ["plan"] }, { tools: ["plan", "chat"], ...(attributes && { attributes }) })
        .value;

    expect(of({})).toBe(0.5);
    expect(of(graded("chat", 0.6))).toBeCloseTo(0.2, 12);
    expect(of(graded("plan", 0.4))).toBeCloseTo(0.8, 12);
    expect(of(graded("chat", 7))).toBe(0.5);
    expect(of(graded("chat", "0.6"))).toBe(0.5);
  });

  test("a run that grades each of its calls drifts without expected tools, too", () => {
    const attributes = { "tracejury.goal_alignment.a": 1, "tracejury.goal_alignment.b": 0.5 };
    expect(drift({}, { tools: ["a", "b"], attributes })).toMatchObject({ outcome: "warn", value: 0.25 });
    expect(drift({}, { tools: ["a", "c"], attributes }).outcome).toBe("skip");
  });

  test("progress without expected steps, drift without expected tools are skipped", () => {
    expect(resultOf("min_progress", { path: { min_progress: 1 } }, {}).outcome).toBe("skip");
    expect(drift({}, {}).outcome).toBe("skip");
  });
});

describe("call_mode compares whole calls", () => {
  const a = { name: "a", arguments: { x: 1, y: { z: [1] } } };
  const b = { name: "b", arguments: {} };
  const outcome = (mode: string, expected: readonly JsonValue[], ...tools: readonly Partial<ToolCall>[]) =>
    resultOf("expected_tool_calls", { path: { expected_tool_calls: expected, call_mode: mode } }, { tools });

  test.each<[string, JsonValue]>([
    ["another value", { x: 1, y: { z: [2] } }],
    ["an argument more", { x: 1, y: { z: [1] }, more: null }],
    ["an argument less", { x: 1 }],
    ["a text for a number", { x: "1", y: { z: [1] } }],
    ["another order in a list", { x: 1, y: { z: [[1]] } }],
  ])("%s is another call", (_, args) => {
    const { outcome: found, message } = outcome("same-order", [a, b], { name: "a", arguments: args }, b);
    expect(found).toBe("warn");
    expect(message).toContain("not same-order: the arguments differ; expected | happened: a(");
  });

  test("the order of calls made together is open", () => {
    const together = [a, { ...b, with_previous: true }, a];
    expect(outcome("same-order", together, b, a, a).outcome).toBe("pass");
    expect(outcome("same-order", together, a, b, a).outcome).toBe("pass");
    expect(outcome("same-order", together, a, a, b).outcome).toBe("warn");
    expect(outcome("same-order", together, b, a).outcome).toBe("warn");
  });

  test("arguments that were not captured leave it open, names that do not fit decide", () => {
    const hidden = { name: "a", arguments: undefined };
    expect(outcome("same-order", [a], hidden)).toMatchObject({ outcome: "incomplete" });
    expect(outcome("same-order", [a], hidden, b).outcome).toBe("warn");
  });
});

describe("a forbidden name in other spellings", () => {
  const spellings = [
    "delete_file",
    "DeleteFile",
    "DELETE FILE",
    "delete-file",
    "delete\u2010file",
    "delete\u2013file",
    "delete\u2212file",
    "delete.file",
    "delete:file",
    "delete::file",
    "delete/file",
    "ｄｅｌｅｔｅ＿ｆｉｌｅ",
    "dele\u200bte_file",
    "mcp__disk__delete_file",
  ];
  const forbid = (name: string) => ({ path: { forbidden_tools: [name] } });

  test.each(spellings)("%j", (name) => {
    expect(resultOf("forbidden_tools", forbid("delete_file"), { tools: [name] }).outcome).toBe("fail");
    expect(resultOf("forbidden_tools", forbid(name), { tools: ["delete_file"] }).outcome).toBe("fail");
  });

  test.each([
    "mcp__disk__delete_file",
    "mcp_disk_delete_file",
    "disk__delete_file",
    "disk___delete_file",
    "disk.delete_file",
    "plugins/disk:delete_file",
    "my-disk-delete_file",
  ])("%j is the tool of a server", (name) => {
    expect(resultOf("forbidden_tools", forbid("delete_file"), { tools: [name] }).outcome).toBe("fail");
    for (const other of ["tape__delete_file", "mcp__tape__delete_file"])
      expect(resultOf("forbidden_tools", forbid(name), { tools: [other] }).outcome).toBe("pass");
  });

  test.each(["mcp_disk_delete_file", "disk__delete_file", "disk.delete_file", "delete_file"])(
    "the tool of a server is forbidden as %j, too",
    (name) => {
      const spec = forbid("mcp__disk__delete_file");
      expect(resultOf("forbidden_tools", spec, { tools: [name] }).outcome).toBe("fail");
      const tools = ["mcp__disk__delete_file"];
      expect(resultOf("forbidden_tools", forbid(name), { tools }).outcome).toBe("fail");
    },
  );

  test("a name of an MCP tool that does not show where the server's name ends leaves it undecided", () => {
    expect(
      resultOf("forbidden_tools", forbid("delete_file"), { tools: ["mcp__diskdelete_file"] }),
    ).toMatchObject({ outcome: "incomplete", message: expect.stringContaining("mcp__diskdelete_file") });
  });

  test.each(["disk_delete_file", "disk-delete-file", "mcp_my_disk_delete_file"])(
    "%j may be the tool of a server, which the message says",
    (name) => {
      expect(resultOf("forbidden_tools", forbid("delete_file"), { tools: [name] })).toMatchObject({
        outcome: "pass",
        message: `no forbidden tool was called; ${name} ends with a forbidden name: if it is this tool of a server, forbid ${name}`,
      });
    },
  );

  test("the tool through which another one was called", () => {
    const tools = [{ name: "get_file", through: "disk_delete" }];
    expect(resultOf("forbidden_tools", forbid("disk-delete"), { tools })).toMatchObject({
      outcome: "fail",
      value: ["disk_delete"],
    });
    expect(resultOf("forbidden_tools", forbid("get_file"), { tools }).outcome).toBe("fail");
    expect(resultOf("forbidden_tools", forbid("drop"), { tools }).outcome).toBe("pass");
  });

  test.each(["delete_files", "undelete_file", "delete", "file", "delete_file_2", "disk_delete_file"])(
    "%j is another tool",
    (name) => {
      expect(resultOf("forbidden_tools", forbid("delete_file"), { tools: [name] }).outcome).toBe("pass");
    },
  );
});

describe("budgets of single steps", () => {
  test("a call whose time is not known leaves a tool's time open", () => {
    const query = { cost: { tool_budgets: { search: { max_latency_ms: 10 } } } };
    const run = { tools: [{ name: "search", durationMs: null }] };

    expect(resultOf("tool_budgets", query, run).outcome).toBe("incomplete");
  });
});

describe("names and calls that look alike", () => {
  test("a forbidden tool is found in whichever Unicode form it is written", () => {
    const path = { forbidden_tools: ["löschen"] };
    const tools = ["Lo\u0308schen"];

    expect(resultOf("forbidden_tools", { path }, { tools })).toMatchObject({ outcome: "fail", value: tools });
  });

  test("a call with more arguments than expected is told from one with others", () => {
    const path = { expected_tool_calls: [{ name: "refund", arguments: { id: 1 } }] };
    const tools = [{ name: "refund", arguments: { id: 1, all: true } }];

    expect(resultOf("expected_tool_calls", { path }, { tools }).message).toContain(
      "refund was called with all, which the expected call does not have",
    );
  });
});

describe("EvalView's reason codes", () => {
  const codes = (key: string, path: NonNullable<QueryText["path"]>, ...tools: readonly string[]) =>
    (resultOf(key, { path }, { tools }).reasons ?? []).map(({ code, step, expected, actual }) =>
      [code, step, expected, actual].join(" ").trim(),
    );
  const sequence = (mode: string | undefined, ...tools: readonly string[]) => ({
    expected_tool_sequence: tools,
    ...(mode === undefined ? {} : { sequence_mode: mode }),
  });
  const ofSequence = "expected_tool_sequence";
  const missingA = "TOOL_MISSING  a";
  const expectsA = { expected_tools: ["a"] };

  test.each<[string, NonNullable<QueryText["path"]>, string, ...string[]]>([
    [
      "expected_tools",
      { expected_tools: ["a", "fetch_url"] },
      "fetchUrl",
      missingA,
      "TOOL_NAME_MISMATCH 1 fetch_url fetchUrl",
    ],
    ["expected_tools", { expected_tools: [] }, "a a", "TOOL_UNEXPECTED 1  a"],
    ["min_tool_recall", { ...expectsA, min_tool_recall: 1 }, "b", missingA],
    ["min_tool_precision", { ...expectsA, min_tool_precision: 1 }, "a b", "TOOL_UNEXPECTED 2  b"],
    ["min_tool_f1", { ...expectsA, min_tool_f1: 1 }, "b", missingA, "TOOL_UNEXPECTED 1  b"],
    ["expected_tool_categories", { expected_tool_categories: ["web"] }, "a", "CATEGORY_NOT_SATISFIED  web"],
    ["forbidden_tools", { forbidden_tools: ["edit_file"] }, "a EditFile", "TOOL_FORBIDDEN 2  EditFile"],
    [ofSequence, sequence(undefined, "a", "b"), "b a", "SEQUENCE_ORDER_VIOLATION 1 a b"],
    [
      ofSequence,
      sequence(undefined, "a", "b"),
      "a",
      "SEQUENCE_ORDER_VIOLATION  b",
      "SEQUENCE_LENGTH_MISMATCH  2 1",
    ],
    [ofSequence, sequence("contains-in-order", "a", "b"), "b a", "SEQUENCE_ORDER_VIOLATION  b"],
    [ofSequence, sequence("contains-in-order", "a", "b"), "a", "SEQUENCE_TOOL_NOT_FOUND  b"],
    [ofSequence, sequence("contains-calls", "a", "a"), "a", "SEQUENCE_MISSING_TOOLS  a"],
    [ofSequence, sequence("only-allowed", "a"), "a b", "TOOL_UNEXPECTED 2  b"],
    ["match_mode", { ...sequence(undefined, "a"), match_mode: "contains" }, "b", missingA],
  ])("of %s %j after %j are %j", (key, path, tools, ...expected) => {
    expect(codes(key, path, ...tools.split(" "))).toEqual(expected);
  });

  test("are not there where a check holds, and few where much is wrong", () => {
    expect(codes("expected_tools", { expected_tools: ["a"] }, "a")).toEqual([]);
    const many = Array.from({ length: 100 }, (_, at) => `tool${at}`);
    expect(codes("expected_tools", { expected_tools: many })).toHaveLength(16);
  });
});

describe("what queries share", () => {
  test("the same limit means what is written beside it in each", () => {
    const path = { expected_tools: ["a", "b"] };
    const run = { tools: ["a"] };

    expect(resultOf("expected_tools", { path }, run).outcome).toBe("warn");
    expect(resultOf("expected_tools", { path: { ...path, min_tool_recall: 0.5 } }, run).outcome).toBe("skip");
    expect(resultOf("expected_tools", { path }, run).outcome).toBe("warn");
  });

  test("a result that is given again is that of its own query, place and limit", () => {
    const query = queryOf({ path: { max_loops: 2 } });
    const other = queryOf({ correctness: { not_in_answer: ["x"] }, path: { max_loops: 2 } });
    const lineOf = (asked: typeof query) =>
      evaluationOf(runOf({}), asked).layers.path.checks[0]?.source?.line;

    expect([lineOf(query), lineOf(other), lineOf(query)]).toEqual([10, 11, 10]);
  });

  test("a run that is not complete does not get what a complete one got before", () => {
    const query = queryOf({ path: { max_loops: 2 } });
    const outcomeOf = (complete: boolean) => evaluationOf(runOf({ complete }), query).layers.path.outcome;

    expect([outcomeOf(true), outcomeOf(false), outcomeOf(true)]).toEqual(["pass", "incomplete", "pass"]);
  });
});
