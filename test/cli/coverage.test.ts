import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { recordedDump } from "../support/recorded-run.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test("coverage says what nobody asked and what no query is about; what it proposes is a valid spec that covers it", async () => {
  const folder = temporaryFolder();
  const dump = join(folder, "dump.jsonl");
  const spec = join(folder, "spec.yaml");
  const texts = ["Hello", "Is order 81 late?", "Is order 7 late?", 'Say "no": now'];
  writeFileSync(dump, recordedDump(...texts.map((query, at) => ({ trace: `t${at}`, query }))));
  writeFileSync(spec, "agent: shop\nqueries:\n  - query: Hello\n  - query: Goodbye\n");

  const { code, stdout } = await runCli("coverage", dump, "--spec", spec, "--format", "json");
  const found = JSON.parse(stdout) as {
    matched: number;
    unmatched: number;
    never_seen: { query_id: string }[];
    clusters: { runs: number; query: string }[];
  };

  expect(code).toBe(0);
  expect(found).toMatchObject({ matched: 1, unmatched: 3, never_seen: [{ query_id: "goodbye" }] });
  expect(found.clusters.map(({ runs }) => runs)).toEqual([2, 1]);

  const blocks = found.clusters.map(({ query }) => query).join("\n");
  writeFileSync(spec, `agent: shop\nqueries:\n  - query: Hello\n${blocks}\n`);
  const again = await runCli("coverage", dump, "--spec", spec);

  expect(again.stdout).toContain("4 of 4 runs match a query of a spec");
});

test("questions to agents that no spec names are not for the spec at hand", async () => {
  const folder = temporaryFolder();
  const dump = join(folder, "dump.jsonl");
  const spec = join(folder, "spec.yaml");
  writeFileSync(dump, recordedDump({ trace: "t1", query: "Is order 81 late?" }));
  writeFileSync(spec, "agent: somebody-else\nqueries:\n  - query: Hello\n");

  const { stdout } = await runCli("coverage", dump, "--spec", spec);

  expect(stdout).not.toContain("to paste below");
  expect(stdout).toMatch(/Questions to agents that no spec names in `agent`[^]*query: "Is order 81 late/);
});
