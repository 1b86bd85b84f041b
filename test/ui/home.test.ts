import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sharedBrowser } from "./browser.ts";
import { fillStore } from "./filled-store.ts";
import { openPage } from "./open-page.ts";
import { saveBaseline } from "./saved-baseline.ts";
import { type Served, serve } from "./served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
let browser: Browser;
let served: Served;

beforeAll(async () => {
  const path = join(folder, "store.db");
  // Two days, of which the second has another version, in which some queries take twice as long.
  await fillStore(path, { runs: 400, hours: 47, nowMs: Date.now(), newVersionHours: 24 });
  const baselineDir = join(folder, "baselines");
  await saveBaseline(baselineDir, "golden");
  const retention = { maxAgeMs: 1e12, maxBytes: 2 ** 32 };
  [browser, served] = await Promise.all([
    sharedBrowser(),
    serve({ mode: "sqlite", path, telemetry: true, retention, perSecond: 1_000 }, { baselineDir }),
  ]);
});
afterAll(async () => {
  await served.live.stop(2_000);
});

describe("home", () => {
  test("failing now: each query and check once, with its count, its times and an example", async () => {
    const page = await openPage(browser, served.address);
    await page
      .getByRole("heading", { level: 1, name: /^\d+ of \d+ verdicts are failures, all by forbidden_tools$/ })
      .waitFor();
    const failing = page.getByRole("region", { name: "Failing now" });
    const weather = failing.getByRole("listitem").filter({ hasText: "What's the weather in Tokyo?" });
    await expect.poll(() => weather.count()).toBe(1);
    await expect
      .poll(() => weather.textContent())
      .toMatch(/tavily_search was called.*\d+ of \d+ verdicts.*\d\d:\d\d/);
    await weather.getByRole("link", { name: /example run/ }).click();
    await page.getByRole("heading", { level: 1, name: "What's the weather in Tokyo?" }).waitFor();
    await page.getByRole("button", { name: /forbidden_tools/ }).waitFor();
  });

  test("what changed since yesterday: what got worse by more than chance, and nothing else", async () => {
    const page = await openPage(browser, served.address);
    const changed = page.getByRole("region", { name: "What changed" });
    await changed.getByText("2 queries got slower.").waitFor();
    const rows = changed.locator("table").first().getByRole("row");
    // A query that occurs rarely may be new or gone by chance.
    const texts = (await rows.allTextContents()).slice(1).filter((text) => !/(new|gone)/.test(text));
    expect(texts).toHaveLength(2);
    for (const text of texts)
      expect(text).toMatch(/^(install|reset-password)time.*\+\d+ % of [a-z-]+: compare▲ worsep </);
    await changed.getByText(/\d+ differences within chance/).click();
    await changed.getByRole("row", { name: /weather pass rate .* ≈ chance/ }).waitFor();
  });

  test("what changed since a version, picked from those that were seen", async () => {
    const page = await openPage(browser, `${served.address}/?since=7d`);
    const changed = page.getByRole("region", { name: "What changed" });
    await changed.getByLabel("Compare with").selectOption("version 1.4.0 against 1.3.0");
    await changed.getByText("2 queries got slower.").waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get("against")).toBe("1.3.0..1.4.0");
  });

  test("what changed since a saved baseline, which Compare takes along", async () => {
    const page = await openPage(browser, served.address);
    const changed = page.getByRole("region", { name: "What changed" });
    await changed.getByLabel("Compare with").selectOption("against baseline golden");
    await changed.getByText(/3 runs before, \d+ after; 3 queries on both sides/).waitFor();
    await changed.getByText(/With one earlier run for each query, only changes of several queries/).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get("against")).toBe("baseline:golden");
    await changed.getByText(/\d+ differences? within chance or too small to show/).click();
    await changed.getByRole("row", { name: /^weather pass rate 100 % \d/ }).waitFor();
    await changed.getByRole("link", { name: "Compare", exact: true }).click();
    const chosen = page.getByLabel("baseline of A").locator("option:checked", { hasText: "golden (3 runs)" });
    await chosen.waitFor({ state: "attached" });
  });

  test("since when queries are at another level, and what came with it", async () => {
    const page = await openPage(browser, served.address);
    const levels = page.getByRole("region", { name: "Since when" });
    const row = levels.getByRole("row", { name: /^install latency rose from / });
    await expect
      .poll(() => row.textContent())
      .toMatch(/At the same time: service\.version 1\.3\.0 → 1\.4\.0 .*▲ worse$/);
    await row.getByRole("link", { name: "install" }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/queries");
  });

  test("worst queries: the lowest pass rate first, and a state from five decided runs on", async () => {
    const page = await openPage(browser, served.address);
    const rows = page.getByRole("region", { name: "Worst queries" }).getByRole("row");
    await rows.nth(1).waitFor();
    const [, first = "", second = "", third = ""] = await rows.allTextContents();
    expect(first).toMatch(/^fix-test0 %.*✗ (always fails|fails so far)$/);
    expect(second).toMatch(/^weather.*▲ flaky$/);
    expect(third).toMatch(/100 %.*stable$/);
    await rows.nth(2).getByRole("link", { name: "weather" }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/queries");
  });

  test("a query over time, with the versions marked; steady ones are called stable from five decided runs on", async () => {
    const page = await openPage(browser, `${served.address}/queries?since=7d`);
    await page.getByRole("row", { name: /^weather .* flaky$/ }).waitFor();
    await page.getByRole("row", { name: /^install .* stable$/ }).waitFor();
    await page.getByRole("button", { name: "install", exact: true }).click();
    await page.getByText(/^Dashed: first run of 1\.3\.0 .*, 1\.4\.0 /).waitFor();
    const asked = page.getByRole("region", { name: "What the spec requires" });
    await asked.getByRole("heading", { name: /and how often runs meet it.*rag-agent\.yaml:\d+/ }).waitFor();
    const lines = asked.getByRole("listitem");
    await expect.poll(() => lines.first().textContent()).toMatch(/^\d+(- )?(id: install|query: )/);
    await expect
      .poll(() => lines.filter({ hasText: "max_tool_calls" }).first().textContent())
      .toMatch(/max_tool_calls: \d+.*\d+ of \d+ (pass|warn)$/);
    const plot = page.getByRole("img", { name: "Mean duration over time" }).locator("canvas");
    await plot.waitFor();
    await expect.poll(() => plot.isVisible()).toBe(true);
  });

  test("one time range holds for all, stands in the address, and goes along to other views", async () => {
    const page = await openPage(browser, served.address);
    const heading = page.getByRole("heading", { level: 1 });
    const ofDay = await heading.textContent();
    await page.getByLabel("Time range").selectOption("7d");
    await page.getByLabel("Compare with").getByText("the 7 days before").waitFor({ state: "attached" });
    await page.getByText("No run was judged in the 7 days before").waitFor();
    await page.waitForFunction((before) => document.querySelector("h1")?.textContent !== before, ofDay);
    await expect.poll(() => new URL(page.url()).searchParams.get("since")).toBe("7d");
    await page.getByRole("navigation").getByRole("link", { name: "Queries" }).click();
    await expect.poll(() => page.getByLabel("Time range").inputValue()).toBe("7d");
  });

  test("a new verdict is counted without a reload", async () => {
    const page = await openPage(browser, served.address);
    const warned = page.getByRole("link", { name: /with a warning/ });
    const before = Number(/\d+/.exec((await warned.textContent()) ?? "")?.[0]);
    await served.send("rag-langgraph.langgraph");
    const after = page.getByRole("link", { name: `with a warning ${before + 1}` });
    await after.waitFor();
    await expect.poll(() => after.isVisible()).toBe(true);
  });
});

test("the groups of problems are those of the verdicts, in order", async () => {
  const read = async <T>(what: string): Promise<T> =>
    (await (await fetch(`${served.address}/api/v1/${what}`)).json()) as T;
  const { groups } = await read<{ groups: { outcome: string; verdicts: number; checks: string[] }[] }>(
    "problems?since=60h",
  );
  const { queries } = await read<{ queries: { outcomes: Record<string, number> }[] }>("queries?since=60h");
  for (const outcome of ["fail", "warn", "incomplete", "error"]) {
    const ofGroups = groups.filter((group) => group.outcome === outcome);
    const inSums = queries.reduce((sum, { outcomes }) => sum + (outcomes[outcome] ?? 0), 0);
    expect(ofGroups.reduce((sum, { verdicts }) => sum + verdicts, 0)).toBe(inSums);
  }
  expect(groups[0]?.outcome).toBe("fail");
});
