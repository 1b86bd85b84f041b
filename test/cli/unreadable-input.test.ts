import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
const good = "test/fixtures/runs/rag-install.langgraph.jsonl";
const dump = join(folder, "dump.jsonl");
writeFileSync(dump, `not a dump\n${readFileSync(good, "utf8")}`);
const spec = join(folder, "spec.yaml");
writeFileSync(
  spec,
  "agent: rag-agent\nqueries: [{ id: install, query: How do I install AgentCI?, path: { max_tool_calls: 0 } }]\n",
);
const flipped = join(folder, "flipped.yaml");
writeFileSync(
  flipped,
  "agent: rag-agent\nqueries: [{ query: How do I install AgentCI?, expected_fail: true }]\n",
);

test.each<[string, readonly string[]]>([
  ["test", [dump, "--spec", spec]],
  ["test", [good, "--like", dump]],
  ["test", [dump, "--like", dump]],
  ["init", ["--from", dump, "--dir", join(folder, "new")]],
  ["inspect", [dump]],
  ["doctor", [dump]],
  ["coverage", [dump, "--spec", spec]],
  ["drift", [dump, "--reference", good]],
  ["drift", [good, "--reference", dump]],
  ["strength", [dump, "--spec", spec]],
  ["calibrate", [dump, "--spec", spec]],
  ["backtest", [dump, "--spec", spec, "--base", spec]],
  ["report", [dump, "--spec", spec]],
  ["save", [dump, "--spec", spec, "--version", "v1", "--baseline-dir", folder]],
  ["diff", ["--baseline", good, "--compare", dump, "--spec", spec]],
  ["promote", [dump, "--spec", spec, "--answer", "no such answer", "--dry-run"]],
  ["promote", [dump, "--spec", flipped, "--flip", "--dry-run"]],
  ["propose", [dump, "--spec", spec, "--dry-run"]],
])("%s %j reports an unreadable line, and is undecided", async (command, words) => {
  const { code, stdout, stderr } = await runCli(command, ...words);
  expect(`${stdout}${stderr}`).toContain(`${dump}:1: not OTLP: a JSON object was expected here`);
  expect(code).toBe(2);
});

test("--skip-invalid accepts an unreadable line of a dump of --like", async () => {
  const { code, stdout } = await runCli("test", good, "--like", dump, "--skip-invalid");
  expect(stdout).toContain(`${dump}:1: not OTLP: a JSON object was expected here`);
  expect(code).toBe(0);
});

test("--quiet shows unreadable input, which is the reason of the exit code", async () => {
  const { stdout } = await runCli("test", dump, "--spec", spec, "--quiet");
  expect(stdout).toContain(`Input that could not be read\n   ${dump}:1: not OTLP`);
});

test("an input without runs: the command is named that shows why", async () => {
  const empty = join(folder, "empty.jsonl");
  writeFileSync(empty, "");
  const { code, stdout } = await runCli("test", empty, "--spec", spec);
  expect(code).toBe(2);
  expect(stdout).toContain(`The input contains no agent run\n   → tracejury doctor ${empty}   shows`);
});
