import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { resultSchema } from "../../src/report/json/verdict-schema.ts";
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

  const gated = (rate: number, word: string): string =>
    `version: 1\nagent: shop\n${q(`correctness: { expected_in_answer: [${word}] }, reliability: { min_runs: 2, min_pass_rate: ${rate} }`)}\n`;

  test("a spec that is named twice judges each run once", async () => {
    const spec = temporaryFile("spec.yaml", gated(1, "hello"));
    const again = `${dirname(spec)}/./${basename(spec)}`;
    const done = await runCli("test", dumpFile([hi]), "--spec", spec, "--spec", again, "--no-config");
    expect([done.code, done.stdout]).toEqual([2, expect.stringContaining("1 verdict:")]);
  });

  test("runs of one spec do not count for the gate of another spec with the same file name", async () => {
    const folder = temporaryFolder();
    for (const [name, word] of [
      ["shop", "hello"],
      ["bank", "bye"],
    ] as const) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "agent.yaml"), gated(0.5, word));
    }
    const specs = ["--spec", join(folder, "*", "agent.yaml")];
    const dump = dumpFile([hi, hi]);
    const done = await runCli("test", dump, ...specs, "--no-config", "--format", "json");
    const { groups, summary } = resultSchema.parse(JSON.parse(done.stdout));
    expect(groups.map(({ spec, gate: { outcome } }) => [spec, outcome])).toEqual([
      ["bank/agent", "fail"],
      ["shop/agent", "pass"],
    ]);
    expect(summary.exit_code).toBe(1);

    const results: string[] = [];
    for (const name of ["shop", "bank"]) {
      const spec = ["--spec", join(folder, name, "agent.yaml")];
      const one = await runCli("test", dump, ...spec, "--no-config", "--format", "json");
      results.push(temporaryFile("result.json", one.stdout));
    }
    const merged = await runCli("merge", ...results);
    expect([merged.code, merged.stderr]).toEqual([2, expect.stringContaining("have the same name")]);
  });

  test("a report replaces no file that the command reads", async () => {
    const dump = dumpFile([hi]);
    const before = readFileSync(dump, "utf8");
    const spec = specFile("queries: [{ query: Hi }]");
    for (const path of [dump, spec]) {
      const done = await runCli("test", dump, "--spec", spec, "--no-config", "--output", `json=${path}`);
      expect([done.code, done.stderr]).toEqual([2, expect.stringContaining("would replace")]);
    }
    expect(readFileSync(dump, "utf8")).toBe(before);
  });

  test("a report replaces no dump in a folder that the command reads, but an earlier report", async () => {
    const folder = temporaryFolder();
    const dump = join(folder, "a.jsonl");
    const before = readFileSync(dumpFile([hi]), "utf8");
    writeFileSync(dump, before);
    const spec = specFile("queries: [{ query: Hi }]");
    const run = (name: string, path: string) =>
      runCli("test", name, "--spec", spec, "--no-config", "--output", `json=${path}`);
    for (const name of [folder, join(folder, "*.jsonl")]) {
      const done = await run(name, dump);
      expect([done.code, done.stderr]).toEqual([2, expect.stringContaining("would replace")]);
    }
    expect(readFileSync(dump, "utf8")).toBe(before);
    for (let at = 0; at < 2; at++)
      expect((await run(folder, join(folder, "report.json"))).stderr).not.toContain("would replace");
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
