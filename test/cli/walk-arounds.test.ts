import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentDump, type DumpedRun } from "../support/agent-dump.ts";
import { argv, cli, runCli } from "../support/run-cli.ts";
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
  const softened = q("severity: { correctness: warn }, correctness: { expected_in_answer: [Bye] }");
  const noBaseline = ["--baseline", "v9", "--baseline-dir", "none", "--fail-on", "regression"];
  test.each<[string, string, readonly DumpedRun[], number, ...string[]]>([
    [
      "a waived forbidden tool hides no other check",
      `${waiver("forbidden_tools")}\n${hides}`,
      uses("drop"),
      1,
    ],
    ["a tool that is named as the agent", forbids("shop"), uses("shop"), 1],
    [
      "a soft hyphen and a byte-order mark in a tool's name",
      forbids("delete_order"),
      uses("\ufeffdelete\u00ad.Order"),
      1,
    ],
    ["another operator", 'queries: [{ query: "5 × 3" }]', [{ ...hi, query: "5 + 3" }], 2, ...relaxed],
    [
      "an asked query that is misspelt, beside one that passes",
      q("id: hi"),
      [hi],
      2,
      ...argv`--query hi --query hj`,
    ],
    ["a control character in a tool's name", forbids("delete_order"), uses("delete_\u0000order\u0007"), 1],
    ["a tool's name in capitals, in which ß is SS", forbids("straße"), uses("STRASSE"), 1],
    ["a pattern where names are compared whole", forbids('"delete_*"'), uses("delete_order"), 2],
    [
      "a gate that a second one would replace",
      softened,
      [hi],
      2,
      ...argv`--fail-on regression --fail-on warn`,
    ],
    ["a baseline that nobody saved", "queries: [{ query: Hi }]", [hi], 2, ...noBaseline],
  ])("%s", async (_, queries, runs, code, ...options) => {
    const done = await runCli("test", dumpFile(runs), "--spec", specFile(queries), "--no-config", ...options);
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
