import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type ResultJson, resultSchema } from "../../src/report/json/verdict-schema.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const runs = "test/fixtures/runs";
const broken = `${runs}/rag-weather-broken.langgraph.jsonl`;
const fixed = `${runs}/rag-weather-fixed.langgraph.jsonl`;
const expecting =
  "agent: rag-agent\nqueries:\n  - id: weather\n    query: What's the weather in Tokyo?\n    expected_fail: true\n    path: { forbidden_tools: [tavily_search] }\n";

let dir = "";
let spec = "";
beforeEach(() => {
  dir = temporaryFolder();
  spec = join(dir, "rag.yaml");
  writeFileSync(spec, expecting);
});

async function resultOf(dump: string, ...flags: string[]): Promise<{ code: number; result: ResultJson }> {
  const { code, stdout } = await runCli("test", dump, "--spec", spec, "--format", "json", ...flags);
  return { code, result: resultSchema.parse(JSON.parse(stdout)) };
}

describe("a failure that the query expects", () => {
  test.each([[], ["--fail-on", "warn"]])("is a marked warning and exit 0 (%s %s)", async (...flags) => {
    const { code, result } = await resultOf(broken, ...flags);
    expect(code).toBe(0);
    expect(result.verdicts[0]).toMatchObject({ outcome: "warn", hard_fail: false, expected_fail: true });
    expect(result.verdicts[0]?.layers.path.checks).toContainEqual(
      expect.objectContaining({ check: "forbidden_tools", outcome: "warn", expected_fail: true }),
    );
  });

  test.each([
    [
      "console",
      /WARN[\s\S]*expected to fail · run[\s\S]*expected to fail: tavily_search was called[\s\S]*exit 0/,
    ],
    ["github", /^::warning [^\n]*::forbidden_tools: expected to fail: tavily_search/m],
    [
      "junit",
      /failures="0" errors="0"[^>]* skipped="1"[\s\S]*<skipped message="forbidden_tools: expected to fail: /,
    ],
    ["markdown", /⚠️ warn \(expected to fail\)[\s\S]*expected to fail&#58; tavily/],
    ["html", /"outcome":"warn","message":"expected to fail: tavily_search/],
    ["sarif", /"level": "warning"[\s\S]*expected to fail: tavily_search/],
    ["gitlab", /expected to fail: tavily_search[\s\S]*"severity": "minor"/],
    ["csv", /forbidden_tools=warn\/expected/],
    ["prometheus", /tracejury_test_runs\{[^}]*outcome="warn"\} 1/],
  ])("is shown by --format %s", async (format, shown) => {
    const { code, stdout } = await runCli("test", broken, "--spec", spec, "--format", format);
    expect(code).toBe(0);
    expect(stdout).toMatch(shown);
  });

  test("counts as a failed run in a report, from the dump and from the result", async () => {
    const saved = join(dir, "result.json");
    await runCli("test", broken, "--spec", spec, "--output", `json=${saved}`);
    for (const input of [[broken, "--spec", spec], [saved]]) {
      const { stdout } = await runCli("report", ...input, "--format", "json");
      expect(JSON.parse(stdout).groups[0]).toMatchObject({ runs: 1, passed: 0, failed: 1 });
    }
  });

  test("counts as a passed run in a report where it passed", async () => {
    const { stdout } = await runCli("report", fixed, "--spec", spec, "--format", "json");
    expect(JSON.parse(stdout).groups[0]).toMatchObject({ runs: 1, passed: 1, failed: 0 });
  });

  test("makes no baseline where correctness failed", async () => {
    writeFileSync(
      spec,
      expecting.replace(
        "path: { forbidden_tools: [tavily_search] }",
        "correctness: { expected_in_answer: [sunny] }",
      ),
    );
    const { code, stdout } = await runCli("save", broken, "--spec", spec, "--version", "v1");
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining("refused: correctness fails"),
    });
  });
});

test("budgets are not fitted to runs that fail as expected, where others pass", async () => {
  const { stdout } = await runCli("calibrate", broken, fixed, "--spec", spec, "--format", "json");
  const limits = JSON.parse(stdout).queries[0].limits;
  expect(limits).toContainEqual(expect.objectContaining({ key: "max_tool_calls", observed: 0 }));
});

describe("a pass where a failure is expected", () => {
  test("is exit 1, and says which key to remove and how", async () => {
    const { code, stdout } = await runCli("test", fixed, "--spec", spec);
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAIL/);
    expect(stdout).toContain(`remove \`expected_fail\` (tracejury promote --flip weather --spec ${spec})`);
  });

  test("is not let through by a reliability gate", async () => {
    writeFileSync(spec, `${expecting}    reliability: { min_runs: 1, min_pass_rate: 0 }\n`);
    expect(await resultOf(fixed)).toMatchObject({ code: 1, result: { groups: [] } });
    expect(await resultOf(broken)).toMatchObject({ code: 0, result: { groups: [] } });
  });
});

describe("a query with `todo:`", () => {
  beforeEach(() => {
    writeFileSync(
      spec,
      "agent: rag-agent\nqueries:\n  - id: weather\n    query: What's the weather in Tokyo?\n    todo: say that it declines\n",
    );
  });

  test("is incomplete, exit 2, with its text as the remedy", async () => {
    const { code, result } = await resultOf(broken);
    expect(code).toBe(2);
    expect(result.verdicts[0]?.layers.correctness.checks).toContainEqual(
      expect.objectContaining({ check: "todo", outcome: "incomplete", remedy: "say that it declines" }),
    );
  });

  test("is not held against the instrumentation by doctor", async () => {
    const { stdout } = await runCli("doctor", broken, "--spec", spec);
    expect(stdout).not.toMatch(/correctness\.todo/);
  });

  test("is valid, with a warning that quotes it", async () => {
    const { code, stdout, stderr } = await runCli("validate", spec);
    expect(code).toBe(0);
    expect(stdout + stderr).toMatch(/spec\/todo[\s\S]*the query is not finished[\s\S]*say that it declines/);
  });
});
