import { mkdtempSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { argv, runCli } from "../support/run-cli.ts";
import { agentDump } from "../support/agent-dump.ts";
import { temporaryFolder, temporaryFile } from "../support/temporary-folder.ts";

/* Every command that takes a spec refuses an invalid one as `validate` does, before it reads a run or writes a file. */

const folder = temporaryFolder();

const dump = temporaryFile("dump.jsonl", agentDump([{ query: "Q one?", answer: "alpha" }]));
const valid = temporaryFile("valid.yaml", "agent: shop\nqueries: [{ query: Q one? }]\n");

const kinds: Readonly<Record<string, string>> = {
  "a key without a value": "agent: shop\nqueries:\n  - query: Q one?\n    path: { forbidden_tools: }\n",
  "definitions without a value": "agent: shop\ndefinitions:\nqueries: [{ query: Q one? }]\n",
  "an empty item":
    "agent: shop\nqueries:\n  - query: Q one?\n    path: { forbidden_tools: [rm, ] }\n    tags:\n      -\n",
  "a selector without a value": "agent: shop\nqueries: [{ query: Q one?, match: { where: { env: } } }]\n",
  "an unknown key": "agent: shop\nqueries: [{ query: Q one?, path: { forbiden_tools: [rm] } }]\n",
  "a template that is not there":
    "agent: shop\nqueries: [{ query: Q one?, correctness: { llm_judge: [safty@1] } }]\n",
  "queries that cannot be told apart": "agent: shop\nqueries: [{ query: Q one? }, { query: q ONE }]\n",
  "no YAML": "agent: [shop\n",
};

/** The words of a command line about a spec; what is written goes to `out`. */
type Command = (spec: string, out: string) => readonly string[];

const commands: Readonly<Record<string, Command>> = {
  test: (spec) => ["test", dump, "--spec", spec],
  "test with judges off": (spec) => ["test", dump, "--spec", spec, "--judge", "off"],
  "backtest --spec": (spec) => ["backtest", dump, "--spec", spec, "--base", valid],
  "backtest --base": (spec) => ["backtest", dump, "--spec", valid, "--base", spec],
  diff: (spec) => ["diff", "--baseline", dump, "--compare", dump, "--spec", spec],
  "diff of versions": (spec, out) => argv`diff --baseline a --compare b --spec ${spec} --baseline-dir ${out}`,
  baselines: (spec) => ["baselines", "--spec", spec],
  "baselines in a folder": (spec, out) => ["baselines", "--spec", spec, "--baseline-dir", out],
  save: (spec, out) => ["save", dump, "--spec", spec, "--version", "v1", "--baseline-dir", out],
  calibrate: (spec) => ["calibrate", dump, "--spec", spec, "--write"],
  strength: (spec) => ["strength", dump, "--spec", spec],
  report: (spec) => ["report", dump, "--spec", spec],
  promote: (spec, out) => ["promote", dump, "--spec", spec, "--to", out, "--forbid", "rm"],
  propose: (spec, out) => ["propose", dump, "--spec", spec, "--to", out, "--into", join(out, "new.yaml")],
  coverage: (spec) => ["coverage", dump, "--spec", spec],
  "judge-audit": (spec) => ["judge-audit", dump, "--spec", spec],
  doctor: (spec) => ["doctor", dump, "--spec", spec],
  drift: (spec) => ["drift", dump, "--reference", dump, "--spec", spec],
  resilience: (spec) => ["resilience", "--exec", "true", "--spec", spec, "--models", `replay:${dump}`],
  "models pack": (spec, out) => ["models", "pack", dump, "--spec", spec, "--out", out],
  serve: (spec) => ["serve", "--spec", spec, "--set", "receive.http=127.0.0.1:0"],
};

describe.each(Object.entries(kinds))("%s", (_, text) => {
  test("validate exits with 1", async () => {
    expect((await runCli("validate", temporaryFile("spec.yaml", text))).code).toBe(1);
  });

  test.each(Object.entries(commands))("%s exits with 2, and writes nothing", async (_, words) => {
    const spec = temporaryFile("spec.yaml", text);
    const out = mkdtempSync(join(folder, "out-"));
    const { code, stdout, stderr } = await runCli(...words(spec, out));
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(spec);
    expect(readdirSync(out)).toEqual([]);
  });
});

test("every command with --spec is in the table", async () => {
  const { stdout } = await runCli("--help");
  const names = [...stdout.matchAll(/^ {2}([a-z][a-z-]+)(?= )/gm)].map(([, name = ""]) => name);
  const taking: string[] = [];
  for (const name of names) if (/--spec </.test((await runCli(name, "--help")).stdout)) taking.push(name);
  const covered = new Set(Object.values(commands).map((words) => words("", "")[0]));
  expect(taking.filter((name) => !covered.has(name))).toEqual([]);
  expect(taking.length).toBeGreaterThan(10);
});
