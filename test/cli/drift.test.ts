import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { archiveOfTest } from "../api/served-archive.ts";
import { record } from "../store/stored-records.ts";
import { cli, runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
let [earlier, later]: string[] = [];
beforeAll(() => {
  const lines = spawnSync(process.execPath, ["docs/trends/month.mjs"], { encoding: "utf8" }).stdout.split(
    "\n",
  );
  earlier = join(folder, "earlier.jsonl");
  later = join(folder, "later.jsonl");
  writeFileSync(earlier, lines.slice(0, 160).join("\n"));
  writeFileSync(later, lines.slice(160).join("\n"));
});

const patternsOf = (found: { readonly patterns: readonly { kind: string; name: string }[] }) =>
  found.patterns.map(({ kind, name }) => `${kind} ${name}`);

test("drift compares with the dumps of a reference period", async () => {
  const { code, stdout } = await cli`drift ${later ?? ""} --reference ${earlier ?? ""} --format json`;
  expect(code).toBe(0);
  const found = JSON.parse(stdout);
  expect([found.runs_before, found.runs_after]).toEqual([160, 140]);
  expect(patternsOf(found)).toEqual(["tool find_order", "tool search_orders", "tool issue_refund"]);
  expect(found.patterns.every((one: { example_run_ids: string[] }) => one.example_run_ids.length === 3)).toBe(
    true,
  );
  expect(found.questions).toMatchObject([{ text: "I want my money back", runs: 14 }]);
});

test("with a spec, questions are new that none of its queries is about", async () => {
  const spec = join(folder, "spec.yaml");
  writeFileSync(
    spec,
    'agent: shop\nqueries:\n  - { query: "I want my money back.", path: { max_tool_calls: 1 } }\n',
  );
  const { stdout } = await cli`drift ${later ?? ""} --reference ${earlier ?? ""} --spec ${spec} --format
    json`;
  expect(JSON.parse(stdout).questions).toMatchObject([{ text: "Where is my parcel", runs: 126 }]);
});

test("a period without runs can not be compared, and two periods must be named", async () => {
  const early = await runCli("drift", later ?? "", "--since", "2020-01-01");
  expect(early.code).toBe(2);
  expect(early.stdout).toContain("nothing to compare with: the reference period has no run");
  expect(early.stdout).not.toContain("no significant change");
  const refused = await runCli("drift", later ?? "");
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("drift compares two periods, but only one is given");
});

test("the runs in the store of a collector are compared, and its specs cover questions", async () => {
  const hour = 3_600_000;
  const now = Date.UTC(2026, 10, 30);
  const { base, add } = await archiveOfTest(now);
  for (let at = 0; at < 120; at++) {
    const isNew = at >= 80;
    const isUnclaimed = isNew && at % 4 === 0;
    const startUnixMs = now - (120 - at) * hour;
    const made = record({ run: at + 1, outcome: isUnclaimed ? null : "pass", judgedUnixMs: startUnixMs });
    const tool = isNew ? "search_orders" : "find_order";
    const json = JSON.stringify({
      run_id: made.run.runId,
      agent: "shop",
      query: isUnclaimed ? "I want my money back" : "Where is my order?",
      answer: isNew && at % 2 === 0 ? "Sorry, I cannot help." : "It comes on Friday.",
      status: "ok",
      error: null,
      tools: [
        { name: tool, executed: true },
        { name: "refund", executed: false },
      ],
      handoffs: isNew ? [{ from: "shop", to: null }] : [],
      total_tokens: 100,
      duration_ms: 1000 + (at % 7),
      start_unix_ms: startUnixMs,
    });
    // Of the runs that no query judged, every second one is claimed by two.
    const unjudged = made.unjudged.map((one) => (at % 8 === 0 ? { ...one, candidates: [] } : one));
    add({ ...made, unjudged, run: { ...made.run, json } });
  }
  const address = base.replace("/api/v1", "");
  const { code, stdout } = await runCli("drift", address, "--since", "39h", "--format", "json");
  expect(code).toBe(0);
  const found = JSON.parse(stdout);
  expect([found.runs_before, found.runs_after]).toEqual([80, 40]);
  expect(patternsOf(found).toSorted()).toEqual(
    expect.arrayContaining([
      "tool find_order",
      "tool search_orders",
      expect.stringMatching(/shop → \(unknown\)/),
    ]),
  );
  expect(found.questions).toMatchObject([{ text: "I want my money back", runs: 5 }]);
  expect(JSON.stringify(found)).not.toContain('"refund"');
});

test("a collector's address must be the only argument, and has to answer", async () => {
  const alone = await runCli("drift", "http://127.0.0.1:1", "--reference", earlier ?? "");
  expect(alone).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("needs --since, and cannot be combined"),
  });
  expect((await runCli("drift", "http://127.0.0.1:1", "--since", "7d")).code).toBe(2);
});
