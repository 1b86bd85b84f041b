import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentDump, type DumpedRun } from "../support/agent-dump.ts";
import { cli, runCli } from "../support/run-cli.ts";
import { temporaryFolder, temporaryFile } from "../support/temporary-folder.ts";

const specFile = (queries: string): string =>
  temporaryFile("spec.yaml", `version: 1\nagent: shop\n${queries}\n`);
const dumpFile = (runs: readonly DumpedRun[]): string => temporaryFile("dump.jsonl", agentDump(runs));
interface Span {
  readonly name: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  endTimeUnixNano: string;
}
interface Request {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

const hi = { query: "Hi", answer: "Hello" };
const waiver = (check: string): string =>
  `waivers: [{ query: hi, check: ${check}, reason: known, owner: me, expires: 2099-01-01 }]`;

describe("an exit code that cannot be walked around", () => {
  const relaxed = ["--on-missing", "warn"];
  const q = (blocks: string): string => `queries: [{ query: Hi, ${blocks} }]`;
  const forbids = (tool: string): string => q(`path: { forbidden_tools: [${tool}] }`);
  const uses = (tool: string): readonly DumpedRun[] => [{ ...hi, tools: [tool] }];
  const hides = q("path: { forbidden_tools: [drop], max_tool_calls: 0, severity: fail }");
  const rate = `{ query: Base, match: { pattern: "Where is {x}?" }, correctness: { expected_in_answer: ["yes"] },
    reliability: { min_runs: 2, min_pass_rate: 0.5 } }`;
  const places = ["a", "a", "a", "a", "b", "b"].map((place) => ({
    query: `Where is ${place}?`,
    answer: place === "a" ? "yes" : "no",
  }));
  const unpriced = q("correctness: { run_status: any }, cost: { max_cost_usd: 1 }");
  const softened = q("severity: { correctness: warn }, correctness: { expected_in_answer: [Bye] }");
  const unknown = q('match: { pattern: "Hi {name}" }, correctness: { not_in_answer: ["{nam}"] }');
  const noBaseline = ["--baseline", "v9", "--baseline-dir", "none", "--fail-on", "regression"];
  test.each<[string, string, readonly DumpedRun[], number, ...string[]]>([
    [
      "a waived forbidden tool hides no other check",
      `${waiver("forbidden_tools")}\n${hides}`,
      uses("drop"),
      1,
    ],
    [
      "an expected failure that passes",
      q("expected_fail: true, correctness: { expected_in_answer: [Hello] }"),
      [hi],
      1,
    ],
    ["a question that always fails under a pattern with a rate", `queries: [${rate}]`, places, 1],
    ["a tool that is named as the agent", forbids("shop"), uses("shop"), 1],
    [
      "a soft hyphen and a byte-order mark in a tool's name",
      forbids("delete_order"),
      uses("\ufeffdelete\u00ad.Order"),
      1,
    ],
    ["a failed run whose model has no price", unpriced, [{ ...hi, error: "boom", model: "nobody-1" }], 2],
    [
      "no run of the asked query",
      "queries: [{ query: Where? }, { query: Other }]",
      [hi],
      2,
      ...relaxed,
      "--query",
      "Where?",
    ],
    ["another operator", 'queries: [{ query: "5 × 3" }]', [{ ...hi, query: "5 + 3" }], 2, ...relaxed],
    [
      "an asked query that is misspelt, beside one that passes",
      q("id: hi"),
      [hi],
      2,
      "--query",
      "hi",
      "--query",
      "hj",
    ],
    ["a control character in a tool's name", forbids("delete_order"), uses("delete_\u0000order\u0007"), 1],
    ["a tool's name in capitals, in which ß is SS", forbids("straße"), uses("STRASSE"), 1],
    ["a pattern where names are compared whole", forbids('"delete_*"'), uses("delete_order"), 2],
    [
      "a gate that a second one would replace",
      softened,
      [hi],
      2,
      "--fail-on",
      "regression",
      "--fail-on",
      "warn",
    ],
    ["a baseline that nobody saved", "queries: [{ query: Hi }]", [hi], 2, ...noBaseline],
    ["an item without a value", q("tags: [a, ~]"), [hi], 2],
    ["a variable that nothing captures, in a forbidden term", unknown, [hi], 2],
  ])("%s", async (_, queries, runs, code, ...options) => {
    const done = await runCli("test", dumpFile(runs), "--spec", specFile(queries), "--no-config", ...options);
    expect(done.code).toBe(code);
  });

  test.each<[string, DumpedRun, number]>([
    ["the same again", { ...hi, tools: ["drop", "find"] }, 0],
    ["another missing tool", { ...hi, tools: ["drop", "show"] }, 1],
    ["another forbidden tool beside it, in other letters", { ...hi, tools: ["Drop", "Wi-pe", "find"] }, 1],
    ["another question", { ...hi, query: "Other?", tools: ["drop", "find"] }, 1],
  ])("--fail-on new: %s", async (_, run, code) => {
    const spec = specFile(
      'queries: [{ query: "*", path: { forbidden_tools: [drop, wipe], expected_tools: [find, show], severity: fail } }]',
    );
    const before = dumpFile([{ ...hi, tools: ["drop", "find"] }]);
    const old = await runCli("test", before, "--spec", spec, "--no-config", "--format", "json");
    const known = temporaryFile("old.json", old.stdout);
    const done = await cli`test ${dumpFile([run])} --spec ${spec} --no-config --fail-on new ${known}`;
    expect(done.code).toBe(code);
  });

  test("a misspelt query beside another one is exit code 2 in every command that selects queries", async () => {
    const spec = specFile("queries: [{ query: Hi, correctness: { expected_in_answer: [Hello] } }]");
    const dump = dumpFile([hi]);
    const selected = ["--spec", spec, "--no-config", "--query", "hi", "--query", "hj"];
    const saved = join(temporaryFolder(), "saved");
    for (const command of [
      ["test", dump],
      ["strength", dump],
      ["save", dump, "--version", "v1", "--baseline-dir", saved],
      ["diff", "--baseline", dump, "--compare", dump],
    ]) {
      const { code, stderr } = await runCli(...command, ...selected);
      expect([command[0], code, stderr]).toEqual([command[0], 2, expect.stringContaining('"hj"')]);
    }
  });

  test("a dump without a good run is no example for --like", async () => {
    const bad = dumpFile([{ ...hi, error: "no quota" }]);
    const { code, stderr } = await runCli("test", dumpFile([hi]), "--like", bad, "--no-config");
    expect([code, stderr]).toEqual([2, expect.stringContaining("is good")]);
  });

  test.each<[string, (span: Span) => boolean, string]>([
    ["root", ({ parentSpanId }) => parentSpanId === undefined, "max_latency_ms: 100000"],
    [
      "tool call",
      ({ name }) => name.includes("find"),
      "tool_budgets: { find: { max_call_latency_ms: 100000 } }",
    ],
  ])("a %s that ends before it starts meets no budget of time", async (_, isReversed, budget) => {
    const spec = specFile(`queries: [{ query: Hi, cost: { ${budget}, severity: fail } }]`);
    const request = JSON.parse(agentDump([{ ...hi, tools: ["find"] }])) as Request;
    for (const { spans } of request.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans))
      for (const span of spans.filter(isReversed))
        span.endTimeUnixNano = String(BigInt(span.startTimeUnixNano) - 5_000_000n);
    const done =
      await cli`test ${temporaryFile("dump.jsonl", JSON.stringify(request))} --spec ${spec} --no-config`;
    expect(done.code).toBe(2);
  });
});
