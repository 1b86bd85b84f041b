import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Format, formats } from "../../src/report/render/formats/format-names.ts";
import { agentDump } from "../support/agent-dump.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/* Checks that an option leaves out are shown wherever runs are counted as passed. */

const folder = temporaryFolder();
const spec = join(folder, "spec.yaml");
writeFileSync(
  spec,
  `version: 1
agent: shop
queries:
  - query: Hi
    correctness:
      expected_in_answer: [hello]
      llm_judge: [{ rule: polite }, { rule: short }]
      safety_check: true
    path: { match_mode: same-order }
    reliability: { min_pass_rate: 0.5 }
  - { query: Bye, correctness: { expected_in_answer: [hello] } }
`,
);
const hi = { query: "Hi", answer: "Hello" };
const dump = join(folder, "dump.jsonl");
writeFileSync(dump, agentDump([hi, hi, { ...hi, query: "Bye" }]));
const many = join(folder, "many.jsonl");
writeFileSync(many, agentDump(Array.from({ length: 20 }, () => hi)));
const words = ["--spec", spec, "--no-config", "--judge", "off"];

test.each([
  ["console", /not judged: llm_judge in 2 of 3 verdicts, safety_check in 2 of 3 verdicts: judges are off/],
  ["markdown", /not judged&#58; llm&#95;judge in 2 of 3 verdicts/],
  ["html", /not judged: llm_judge in 2 of 3 verdicts/],
  [
    "prometheus",
    /tracejury_test_not_judged\{.*query_id="hi".*,check="llm_judge",reason="judges are off"\} 2/,
  ],
])("--format %s", async (format, line) => {
  const { code, stdout } = await runCli("test", dump, ...words, "--format", format);
  expect([code, stdout]).toEqual([0, expect.stringMatching(line)]);
});

/* Reports that programs read name them, too, with the runs that belong to no query. */
const stray = join(folder, "stray.jsonl");
writeFileSync(stray, agentDump([hi, hi, { ...hi, query: "Bye" }, { ...hi, query: "=1+1?" }]));

test.each([
  [
    "junit",
    /<testcase name="llm_judge" classname="not judged"[^>]*>\s*<skipped message="in 2 of 3 verdicts: judges are off"/,
  ],
  [
    "junit",
    /<testcase name="runs without a query" classname="not judged"[^>]*>\s*<skipped message="1 of 4 runs: no query/,
  ],
  ["csv", /,llm_judge: judges are off; safety_check: judges are off; match_mode: no baseline requested/],
  ["csv", /^spec,,"?'=1\+1\?"?,,0+\w+,[^,]*,[^,]*,unmatched,/m],
  [
    "sarif",
    /"ruleId": "not_judged",\s*"ruleIndex": \d,\s*"level": "note",\s*"message": \{\s*"text": "llm_judge: in 2 of 3 verdicts: judges are off/,
  ],
  ["sarif", /"ruleId": "unmatched_run",\s*"ruleIndex": \d,\s*"level": "note"/],
  ["gitlab", /"description": "llm_judge: in 2 of 3 verdicts: judges are off[^}]*"severity": "info"/],
  ["gitlab", /"description": "runs without a query: 1 of 4 runs: no query[^}]*"severity": "info"/],
])("--format %s: %s", async (format, text) => {
  const { code, stdout } = await runCli("test", stray, ...words, "--format", format);
  expect([code, stdout]).toEqual([0, expect.stringMatching(text)]);
});

/** How each format tells that nothing was judged. */
const signs: Readonly<Record<Format, RegExp>> = {
  console: /no run was judged/,
  json: /"exit_code":\s*2/,
  junit: /errors="1"[\s\S]*<error message="no run was judged: [^"]*"/,
  sarif: /"level": "error",\s*"message": \{\s*"text": "exit code 2: no run was judged/,
  gitlab: /"description": "exit code 2: no run was judged[^}]*"severity": "major"/,
  markdown: /no run was judged/,
  html: /no run was judged/,
  github: /^::error [^\n]*no run was judged/m,
  prometheus: /exit_code[^\n]* 2/,
  csv: /,unmatched,/,
};

test.each(formats)("no report in %s is green if nothing was judged", async (format) => {
  const other = join(folder, "other.jsonl");
  writeFileSync(other, agentDump([{ ...hi, agent: "shop-v2" }]));
  const { code, stdout } = await runCli("test", other, ...words, "--on-missing", "warn", "--format", format);
  expect([code, stdout]).toEqual([2, expect.stringMatching(signs[format])]);
});

test("grouped and quiet output, also by several workers", async () => {
  for (const more of [[], ["--quiet"], ["--workers", "2"]]) {
    const { stdout } = await runCli("test", many, ...words, "--on-missing", "warn", ...more);
    expect(stdout).toMatch(/not judged: llm_judge in 20 of 20 verdicts/);
    expect(stdout).toMatch(/match_mode in 20 of 20 verdicts: no baseline requested/);
  }
});

test("the result, its report, and the report of the dump", async () => {
  const { stdout } = await runCli("test", dump, ...words, "--format", "json");
  const judgesOff = "judges are off";
  const left = [
    { check: "llm_judge", reason: judgesOff, verdicts: 2 },
    { check: "safety_check", reason: judgesOff, verdicts: 2 },
    { check: "match_mode", reason: "no baseline requested", verdicts: 2 },
  ];
  expect(JSON.parse(stdout)).toMatchObject({ not_judged: left });
  const result = join(folder, "result.json");
  writeFileSync(result, stdout);
  for (const input of [[result], [dump, ...words]]) {
    const json = await runCli("report", ...input, "--format", "json");
    const { groups } = JSON.parse(json.stdout) as { groups: { key: string; not_judged?: unknown }[] };
    expect(groups.map(({ key, not_judged }) => [key, not_judged])).toEqual([
      ["bye", undefined],
      ["hi", left],
    ]);
    expect((await runCli("report", ...input)).stdout).toMatch(/not judged: llm_judge in 2 of 2 runs/);
  }
  expect((await runCli("merge", result)).stdout).toMatch(/not judged: llm_judge in 2 of 3 verdicts/);
});

test("nothing is said if no option left out a check", async () => {
  const { stdout } = await runCli("test", dump, "--spec", spec, "--no-config", "--query", "bye");
  expect(stdout).not.toMatch(/not judged/);
});
