import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Lines that depend on how fast the machine is, and what the check calls each. */
const timed: readonly (readonly [string, string])[] = [
  ['import { setTimeout as pause } from "node:timers/promises";', "a fixed pause"],
  ["await new Promise((resolve) => setTimeout(resolve, 20));", "a timer"],
  ["const timer = setInterval(() => look(), 5);", "a timer"],
  ["await vi.waitFor(() => expect(seen).toBe(1));", "waits for a second"],
  ["await expect.poll(() => seen, { timeout: 5_000 }).toBe(1);", "a time-out below 60 s"],
  ["page.setDefaultTimeout(10_000);", "a time-out below 60 s"],
  ["const SHORT_MS = 2 * 1_000; await page.click(name, { timeout: SHORT_MS });", "a time-out below 60 s"],
  ['test("slow", async () => work(), 30_000);', "a limit of its own"],
  ['test.each(rows)("%s", work, 90_000);', "a limit of its own"],
  ["beforeAll(async () => open(), LIMIT_MS); const LIMIT_MS = 120_000;", "a limit of its own"],
  ["vi.setConfig({ testTimeout: 120_000 });", "a limit of its own"],
  ["expect(performance.now() - begun).toBeLessThan(2_000);", "measured time"],
  ["while (Date.now() < end) await look();", "measured time"],
  ['execFileSync("sleep", ["1"]);', "a fixed pause"],
];

const untimed: readonly string[] = [
  "await until(() => seen === 1);",
  "await expect.poll(() => seen).toBe(1);",
  "const hourAgo = Date.now() - 3_600_000;",
  "const settings = { timeoutMs: 300, timeouts: { rootQuietMs: 100 } };",
  "await page.click(name, { timeout: 60_000 });",
  'test("fast", work);',
  'const program = "setTimeout(() => {}, 5)"; // setTimeout',
];

function check(lines: readonly string[]): {
  readonly status: number | null;
  readonly said: readonly string[];
} {
  const folder = temporaryFolder();
  const file = join(folder, "some.test.ts");
  writeFileSync(file, lines.join("\n"));
  const { status, stderr } = spawnSync(process.execPath, ["bin/check-waits.js", file], { encoding: "utf8" });
  return { status, said: stderr.trim().split("\n") };
}

test("each line that depends on time is named, with its number", () => {
  const { status, said } = check(timed.map(([line]) => line));
  expect(status).toBe(1);
  expect(said.slice(0, -1)).toEqual(
    timed.map(([, why], at) => expect.stringContaining(`some.test.ts:${at + 1}: ${why}`)),
  );
  expect(said.at(-1)).toContain(`${timed.length} places`);
});

test("a line that waits for a condition, or only names a time, is not", () => {
  expect(check(untimed)).toEqual({ status: 0, said: [""] });
});
