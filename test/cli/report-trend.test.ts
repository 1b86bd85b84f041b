import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { VerdictJson } from "../../src/report/json/verdict-schema.ts";
import { runCli } from "../support/run-cli.ts";
import { verdictsOfVersions } from "../support/runs-of-versions.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const HOUR = 3_600_000;
const start = Date.UTC(2026, 10, 1);

/** Twenty days with eight runs a day; from the fifteenth version 1.5 answers, and every second run fails. */
function verdicts(): VerdictJson[] {
  const made = verdictsOfVersions(
    Array.from({ length: 160 }, (_, at) => ({
      version: at < 112 ? "1.4" : "1.5",
      query: "where-is-my-parcel",
      passed: at < 112 || at % 2 === 0,
      costUsd: 0.01 + (at % 7) / 1000,
    })),
  );
  return made.map((verdict, at) => ({ ...verdict, start_unix_ms: start + at * 3 * HOUR }));
}

function written(lines: readonly VerdictJson[]): string {
  const file = join(folder, "verdicts.jsonl");
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return file;
}

test("report --trend says since when a query is worse, and what else changed then", async () => {
  const { code, stdout } = await runCli("report", written(verdicts()), "--trend", "--since", "30d");
  expect(code).toBe(0);
  expect(stdout).toContain("where-is-my-parcel  160 runs, one bar per day");
  expect(stdout).toContain("✗ pass rate fell from 100 % to 50 %");
  expect(stdout).toContain("since 2026-11-15 00:00");
  expect(stdout).toContain("at the same time: service.version 1.4 → 1.5 (0 % → 100 % of runs)");
  expect(stdout).toContain("1 significant change");
});

test("--since leaves out what was before, for groups side by side, too", async () => {
  const file = written(verdicts());
  const { stdout } = await runCli("report", file, "--since", "2026-11-15", "--format", "json");
  expect((JSON.parse(stdout) as { groups: { runs: number }[] }).groups[0]?.runs).toBe(48);
  const refused = await runCli("report", file, "--since", "Tuesday");
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("--since Tuesday is not a time");
});

test("verdicts of older versions, which hold no time, are left out and said", async () => {
  const old = verdicts();
  for (const verdict of old) delete verdict.start_unix_ms;
  const { code, stderr } = await runCli("report", written(old), "--trend");
  expect(code).toBe(2);
  expect(stderr).toContain("160 judged runs without a time are left out");
});
