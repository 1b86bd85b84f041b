import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Format, formats } from "../../src/report/render/formats/format-names.ts";
import { agentDump } from "../support/agent-dump.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/* A run that passes with a warning is told from one that passes, wherever it is counted. */

const folder = temporaryFolder();
const spec = join(folder, "spec.yaml");
const dump = join(folder, "dump.jsonl");
writeFileSync(spec, "version: 1\nagent: shop\nqueries: [{ query: Hi, path: { max_tool_calls: 0 } }]\n");
const hi = { query: "Hi", answer: "Hello" };
writeFileSync(dump, agentDump([{ ...hi, tools: ["find"] }]));
const words = ["test", dump, "--spec", spec, "--no-config"];

/** How each format tells a warning. */
const signs: Readonly<Record<Format, RegExp>> = {
  console: /1 warning/,
  json: /"outcome":"warn"/,
  junit: /warn/i,
  github: /::warning/,
  markdown: /warn/i,
  prometheus: /outcome="warn"\} 1/,
  csv: /,warn,/,
  gitlab: /"severity":\s*"minor"/,
  sarif: /"level":\s*"warning"/,
  html: /warn/i,
};

test.each(formats)("%s", async (format) => {
  const { code, stdout } = await runCli(...words, "--format", format);
  expect([code, stdout]).toEqual([0, expect.stringMatching(signs[format])]);
});

test.each(["query", "agent", "model"])("report --group-by %s", async (by) => {
  const { stdout } = await runCli("report", dump, "--spec", spec, "--group-by", by, "--no-config");
  const [head = "", row = ""] = stdout.split("\n").slice(2);
  expect([head, row].join("\n")).toMatch(/warned[\s\S]*\b1 {2,}0 {2,}1 {2,}0\b/);
});

test("--quiet, and metrics of a saved result", async () => {
  expect((await runCli(...words, "--quiet")).stdout).toMatch(/1 warning/);
  const { stdout } = await runCli(...words, "--format", "json");
  const result = join(folder, "result.json");
  writeFileSync(result, stdout);
  expect((await runCli("export-metrics", result)).stdout).toMatch(/outcome="warn"\} 1/);
});
