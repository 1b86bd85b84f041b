import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fillStore } from "./filled-store.ts";
import { saveBaseline } from "./saved-baseline.ts";
import { serveFile, shownBy } from "./served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const ui = shownBy(async () => {
  const folder = temporaryFolder();
  const path = join(folder, "store.db");
  // Two days, of which the second has another version, in which some queries take twice as long.
  await fillStore(path, { runs: 400, hours: 47, nowMs: Date.now(), newVersionHours: 24 });
  const baselineDir = join(folder, "baselines");
  await saveBaseline(baselineDir, "golden");
  return serveFile(path, { baselineDir });
});

describe("home", () => {
  test("failing now: each query and check once, with its count, its times and an example", async () => {
    const page = await ui.open("/");
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
    const page = await ui.open("/");
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

  test("what changed since a saved baseline, which Compare takes along", async () => {
    const page = await ui.open("/");
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
    const page = await ui.open("/");
    const levels = page.getByRole("region", { name: "Since when" });
    const row = levels.getByRole("row", { name: /^install latency rose from / });
    await expect
      .poll(() => row.textContent())
      .toMatch(/At the same time: service\.version 1\.3\.0 → 1\.4\.0 .*▲ worse$/);
    await row.getByRole("link", { name: "install" }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/queries");
  });

  test("worst queries: the lowest pass rate first, and a state from five decided runs on", async () => {
    const page = await ui.open("/");
    const rows = page.getByRole("region", { name: "Worst queries" }).getByRole("row");
    await rows.nth(1).waitFor();
    const [, first = "", second = "", ...others] = await rows.allTextContents();
    expect(first).toMatch(/^fix-testdev-agent.*0 %.*✗ (always fails|fails so far)$/);
    expect(second).toMatch(/^weatherrag-agent.*▲ flaky$/);
    expect(others.filter((text) => text.includes("100 %"))).toEqual([]);
    await rows.nth(2).getByRole("link", { name: "weather" }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/queries");
  });

  test("a query over time, with the versions marked; steady ones are called stable from five decided runs on", async () => {
    const page = await ui.open(`/queries?since=7d`);
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
    const page = await ui.open("/");
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
    const page = await ui.open("/");
    const warned = page.getByRole("link", { name: /with a warning/ });
    const before = Number(/\d+/.exec((await warned.textContent()) ?? "")?.[0]);
    await ui.served.send("rag-langgraph.langgraph");
    const after = page.getByRole("link", { name: `with a warning ${before + 1}` });
    await after.waitFor();
    await expect.poll(() => after.isVisible()).toBe(true);
  });
});

describe("compare", () => {
  test("opens with comparisons that the runs allow, each with its sizes, and one click answers", async () => {
    const page = await ui.open(`/compare`);
    const presets = page.getByRole("region", { name: "What can be compared" });
    const version = presets.getByRole("link", {
      name: /^1\.4\.0 \(\d+ runs\) against 1\.3\.0 \(\d+ runs\)$/,
    });
    await version.waitFor();
    await expect
      .poll(() => presets.textContent())
      .toMatch(/last 24 hours against golden \(3 runs\).*last 24 hours against the 24 hours before/);
    await version.click();
    await page
      .getByRole("heading", { level: 1, name: /^B is slower in 2 of \d+ queries; over all/ })
      .waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe("?a_version=1.3.0&b_version=1.4.0");
  });

  test("Home opens it with both sides set: by version, and for one query that changed", async () => {
    const page = await ui.open("/");
    const changed = page.getByRole("region", { name: "What changed" });
    await changed.getByRole("link", { name: /of install: compare$/ }).click();
    await page.getByText("query install only").waitFor();
    await expect
      .poll(() => page.getByLabel("time of A").locator("option:checked").textContent())
      .toBe("the 24 hours before");
    await expect
      .poll(() => page.getByLabel("What is compared").textContent())
      .toMatch(
        /A 2 days to 24 hours ago, \d+ judged runs · B last 24 hours, \d+ judged runs · 1 query in common/,
      );
  });

  test("both sides are picked from the versions that there are, with their runs, and the picked are in the address", async () => {
    const page = await ui.open(`/compare`);
    for (const [side, version] of [
      ["A", "1.3.0"],
      ["B", "1.4.0"],
    ] as const) {
      await page.getByLabel(`What ${side} is picked by`).selectOption("version");
      const choice = page.getByLabel(`version of ${side}`);
      const words = await choice.locator("option", { hasText: version }).textContent();
      expect(words).toMatch(/\(\d+ runs\)$/);
      await choice.selectOption({ label: words ?? "" });
    }
    await page.getByText("✓ no run on both sides").waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe("?a_version=1.3.0&b_version=1.4.0");
    await page
      .getByRole("heading", { level: 1, name: /^B is slower in 2 of \d+ queries; over all/ })
      .waitFor();
    const rows = page.getByRole("region", { name: "Table by query" }).getByRole("row");
    const texts = (await rows.allTextContents()).slice(1, 3);
    for (const text of texts) expect(text).toMatch(/^(install|reset-password) \d+ \/ \d+100 % both.*\+\d+ %/);

    await page.getByRole("button", { name: "Swap A and B" }).click();
    await page.waitForURL(/a_version=1.4.0&b_version=1.3.0/);
    await expect.poll(() => page.getByLabel("version of A").inputValue()).toBe("0");
  });

  test("a saved baseline is a side; one that is not there is answered with those that are", async () => {
    const page = await ui.open(`/compare?b_version=1.4.0`);
    await page.getByLabel("What A is picked by").selectOption("baseline");
    await expect.poll(() => new URL(page.url()).searchParams.get("a_baseline")).toBe("golden");
    await page
      .getByText(
        /✓ no run on both sides · A baseline golden, 3 judged runs · B version 1.4.0, \d+ judged runs · 3 queries in common/,
      )
      .waitFor();
    const rows = page.getByRole("region", { name: "Table by query" }).getByRole("row");
    expect((await rows.allTextContents()).slice(1).join()).toMatch(/weather 1 \/ \d+100 % → \d/);

    const answer = await fetch(`${ui.served.address}/api/v1/compare?a_baseline=gold&b_version=1.4.0`);
    expect(await answer.text()).toContain("Choose a saved version: golden (3 runs).");
  });

  test("sides that share runs are marked, and axes end at the 99th percentile", async () => {
    const page = await ui.open(`/compare?a_version=1.4.0&b_agent=rag-agent`);
    await page.getByText(/▲ \d+ runs on both sides/).waitFor();
    const plot = page.getByRole("region", { name: "time" });
    await plot.getByRole("img").locator("canvas").waitFor();
    await expect
      .poll(() => plot.textContent())
      .toMatch(/axis ends at the 99th percentile, \d+ runs? (is|are) beyond/);
  });

  test("plots are drawn in a browser whose locale is none that the language knows", async () => {
    const page = await ui.open("/");
    await page.addInitScript(() =>
      Object.defineProperty(navigator, "language", { value: "en-US@posix", configurable: true }),
    );
    await page.goto(`${ui.served.address}/compare?a_version=1.3.0&b_version=1.4.0`);
    const plot = page.getByRole("region", { name: "time" }).getByRole("img");
    await plot.locator("canvas").waitFor();
    await expect.poll(() => plot.textContent()).not.toContain("cannot draw");
    // Its script would run in the page of another test.
    await page.close();
  });
});
