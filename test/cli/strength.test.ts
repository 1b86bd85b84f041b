import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cli, runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const dump = "test/fixtures/runs/rag-install.langgraph.jsonl";
const spec = ["--spec", "specs/rag-agent.yaml"];

interface Report {
  readonly strength: number;
  readonly mutants: number;
  readonly killed: number;
  readonly survived: number;
  readonly queries: readonly {
    readonly query_id: string;
    readonly runs: number;
    readonly survivors: readonly { readonly mutation: string; readonly suggestion: object | null }[];
  }[];
}

describe("strength", () => {
  test("says which faults in a recorded run the spec would let pass, and what would notice them", async () => {
    const { code, stdout } = await cli`strength ${dump} ${spec} --query install --format json`;
    const report = JSON.parse(stdout) as Report;
    const [query] = report.queries;

    expect(code).toBe(0);
    expect(report.killed + report.survived).toBe(report.mutants);
    expect(report.killed).toBeGreaterThan(0);
    expect(query).toMatchObject({ query_id: "install", runs: 1 });
    expect(query?.survivors.filter(({ mutation }) => mutation === "drop")).toEqual([]);
  });

  test("is the same each time, and less than asked for is exit code 1", async () => {
    const words = ["strength", dump, ...spec, "--query", "install", "--min-strength", "1"];
    const [first, second] = [await runCli(...words), await runCli(...words)];

    expect(first.stdout).toBe(second.stdout);
    expect(first.code).toBe(1);
    expect(first.stdout).toContain("▲ survived");
  });

  test("without a passing run it can not tell", async () => {
    const { code, stdout } = await runCli("strength", dump, ...spec, "--query", "weather");

    expect(code).toBe(2);
    expect(stdout).toContain("no passing run");
  });

  test("--write adds the checks that close what survived, keeps what is there, and is done after one time", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "rag.yaml");
    const before = `agent: rag-agent\nqueries:\n  - id: install # the first\n    query: "How do I install AgentCI?"\n    path: { max_tool_calls: 9 }\n`;
    writeFileSync(file, before);
    const words = ["strength", dump, "--spec", file, "--format", "json"];
    const weak = JSON.parse((await runCli(...words)).stdout) as Report;
    const { code, stderr } = await runCli(...words, "--write");
    const strong = JSON.parse((await runCli(...words)).stdout) as Report;
    const written = readFileSync(file, "utf8");

    expect(code).toBe(0);
    expect(stderr).toMatch(/checks written \(.*path\.expected_tools/);
    expect(strong.killed).toBeGreaterThan(weak.killed);
    expect(strong.queries[0]).toMatchObject({ runs: 1 });
    expect(strong.queries[0]?.survivors.filter(({ suggestion }) => suggestion !== null)).toEqual([]);
    expect(written).toContain("# the first");
    expect((await runCli(...words, "--write")).stderr).toMatch(/is unchanged/);
    expect(readFileSync(file, "utf8")).toBe(written);
    expect((await runCli("test", dump, "--spec", file, "--judge", "off")).code).toBe(0);
  });
});
