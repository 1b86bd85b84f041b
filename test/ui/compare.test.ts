import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sharedBrowser } from "./browser.ts";
import { fillStore } from "./filled-store.ts";
import { faultsOf } from "./looked-at.ts";
import { openPage } from "./open-page.ts";
import { saveBaseline } from "./saved-baseline.ts";
import { type Served, serve } from "./served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
let browser: Browser;
let served: Served;

beforeAll(async () => {
  const path = join(folder, "store.db");
  await fillStore(path, { runs: 300, hours: 47, nowMs: Date.now(), newVersionHours: 24 });
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

describe("compare", () => {
  test("opens with comparisons that the runs allow, each with its sizes, and one click answers", async () => {
    const page = await openPage(browser, `${served.address}/compare`);
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
    const page = await openPage(browser, served.address);
    const changed = page.getByRole("region", { name: "What changed" });
    await changed.getByRole("link", { name: "versions", exact: true }).click();
    await page.waitForURL(/\/compare\?a_version=1\.3\.0&b_version=1\.4\.0$/);
    await page.getByText("✓ no run on both sides").waitFor();

    await page.getByRole("link", { name: "Home", exact: true }).click();
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
    const page = await openPage(browser, `${served.address}/compare`);
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
    const page = await openPage(browser, `${served.address}/compare?b_version=1.4.0`);
    await page.getByLabel("What A is picked by").selectOption("baseline");
    await expect.poll(() => new URL(page.url()).searchParams.get("a_baseline")).toBe("golden");
    await page
      .getByText(
        /✓ no run on both sides · A baseline golden, 3 judged runs · B version 1.4.0, \d+ judged runs · 3 queries in common/,
      )
      .waitFor();
    const rows = page.getByRole("region", { name: "Table by query" }).getByRole("row");
    expect((await rows.allTextContents()).slice(1).join()).toMatch(/weather 1 \/ \d+100 % → \d/);

    const answer = await fetch(`${served.address}/api/v1/compare?a_baseline=gold&b_version=1.4.0`);
    expect(await answer.text()).toContain("Choose a saved version: golden (3 runs).");
  });

  test("sides that share runs are marked, and axes end at the 99th percentile", async () => {
    const page = await openPage(browser, `${served.address}/compare?a_version=1.4.0&b_agent=rag-agent`);
    await page.getByText(/▲ \d+ runs on both sides/).waitFor();
    const plot = page.getByRole("region", { name: "time" });
    await plot.getByRole("img").locator("canvas").waitFor();
    await expect
      .poll(() => plot.textContent())
      .toMatch(/axis ends at the 99th percentile, \d+ runs? (is|are) beyond/);
  });

  test("plots are drawn in a browser whose locale is none that the language knows", async () => {
    const page = await openPage(browser, served.address);
    await page.addInitScript(() =>
      Object.defineProperty(navigator, "language", { value: "en-US@posix", configurable: true }),
    );
    await page.goto(`${served.address}/compare?a_version=1.3.0&b_version=1.4.0`);
    const plot = page.getByRole("region", { name: "time" }).getByRole("img");
    await plot.locator("canvas").waitFor();
    await expect.poll(() => plot.textContent()).not.toContain("cannot draw");
  });
});

describe("before the first run", () => {
  test("the page has the receiver's real address, and becomes Home when a run has come, without a reload", async () => {
    const empty = await serve();
    try {
      const page = await openPage(browser, empty.address);
      await page.getByRole("heading", { level: 1, name: "Listening. No span has arrived yet." }).waitFor();
      await page
        .getByText(`export OTEL_EXPORTER_OTLP_ENDPOINT=http://${empty.live.listening.http}`)
        .waitFor();
      expect(await faultsOf(page)).toEqual({ axe: [], tooWide: 0 });
      await empty.send("rag-weather-broken.langgraph");
      const heading = page.getByRole("heading", {
        level: 1,
        name: "1 run, failed: tavily_search was called",
      });
      await heading.waitFor();
      await expect.poll(() => heading.isVisible()).toBe(true);
      await page.close();
    } finally {
      await empty.live.stop(2_000);
    }
  });
});
