import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { LONGEST_WAIT_MS } from "../support/eventually.ts";
import { runCliWith } from "../support/run-cli.ts";
import { sharedBrowser } from "./browser.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let browser: Browser;
const folder = temporaryFolder();
let terminal = "";

beforeAll(async () => {
  const dumps = join(folder, "dumps");
  cpSync("test/fixtures/runs", dumps, { recursive: true });
  // Groups of different sizes, so that an order by their size can be seen.
  copies(dumps, "dev-forbidden.agents-sdk", 3);
  copies(dumps, "rag-langgraph.langgraph", 2);
  const env = { GITHUB_STEP_SUMMARY: join(folder, "summary.md") };
  const html = ["--output", `html=${join(folder, "report.html")}`];
  const specs = ["--spec", "specs/*.yaml", "--judge", "off", "--on-missing", "warn"];
  const [ran] = await Promise.all([
    runCliWith({ env: {} }, "test", dumps, ...specs, ...html),
    runCliWith({ env }, "test", dumps, ...specs, "--format", "github"),
  ]);
  terminal = ran.stdout;
  browser = await sharedBrowser();
});

/** Writes a recording so many times more, each as a run of its own. */
function copies(dumps: string, name: string, count: number): void {
  const text = readFileSync(join(dumps, `${name}.jsonl`), "utf8");
  const traceId = /"traceId":"([0-9a-f]{32})"/.exec(text)?.[1] ?? "";
  for (let at = 0; at < count; at++)
    writeFileSync(
      join(dumps, `${name}-${at}.jsonl`),
      text.replaceAll(traceId, `f0c${at}${traceId.slice(4)}`),
    );
}

/** `fix-test ×4`: the groups that a pattern finds, in their order. */
function groupsIn(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, id, count]) => `${id} ×${count}`);
}

test("terminal, GitHub summary and HTML have the same groups of failures and of warnings, in the same order", async () => {
  const failures = groupsIn(terminal, /^ ✗ FAIL {2}\S+ · (\S+) · ".*" +(\d+) of \d+ runs?$/gm);
  const warnings = groupsIn(terminal, /^ ▲ (\S+) +×(\d+) /gm);
  expect(failures).toEqual(["fix-test ×4", "weather ×1"]);
  expect(warnings).toEqual(["langgraph-state ×3"]);

  const summary = readFileSync(join(folder, "summary.md"), "utf8");
  expect(groupsIn(summary, /^\| ❌ fail \| <code>([^<]+)<\/code>.*?\| (\d+) \|/gm)).toEqual(failures);
  expect(groupsIn(summary, /^\| ⚠️ warn \| <code>([^<]+)<\/code>.*?\| (\d+) \|/gm)).toEqual(warnings);
  expect(summary.indexOf("❌ fail")).toBeLessThan(summary.indexOf("⚠️ warn"));

  const page = await browser.newPage();
  page.setDefaultTimeout(LONGEST_WAIT_MS);
  await page.goto(pathToFileURL(join(folder, "report.html")).href);
  const heads = await page.locator(".group > header").allInnerTexts();
  expect(groupsIn(heads.join("\n\n"), /\S+ · (\S+)\s+(\d+) of \d+ runs?/g)).toEqual(failures);
  const slim = await page.locator('[aria-label="Warnings"] .slim').allInnerTexts();
  expect(groupsIn(slim.join("\n\n"), /(langgraph-state)[^×]*×(\d+)/g)).toEqual(warnings);
  const sections = await page
    .locator(".panel")
    .evaluateAll((all) =>
      all.map((one) => (one.matches(".group") ? "failure" : (one.getAttribute("aria-label") ?? ""))),
    );
  expect(sections.slice(0, 3)).toEqual(["failure", "failure", "Warnings"]);
  await page.close();
});
