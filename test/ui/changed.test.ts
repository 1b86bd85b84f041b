import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedBrowser } from "./browser.ts";
import { fillStore } from "./filled-store.ts";
import { openPage } from "./open-page.ts";
import { type Served, serve } from "./served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
let browser: Browser;
let served: Served;

beforeAll(async () => {
  const path = join(folder, "store.db");
  await fillStore(path, {
    runs: 300,
    hours: 47,
    nowMs: Date.now(),
    newVersionHours: 24,
    newQueries: ["fix-test", "aws"],
    goneQueries: ["cancel"],
  });
  const retention = { maxAgeMs: 1e12, maxBytes: 2 ** 32 };
  [browser, served] = await Promise.all([
    sharedBrowser(),
    serve({ mode: "sqlite", path, telemetry: true, retention, perSecond: 1_000 }),
  ]);
});
afterAll(async () => {
  await served.live.stop(2_000);
});

test("a query that fails today and was absent yesterday is new and comes first; one that is absent today is gone", async () => {
  const page = await openPage(browser, served.address);
  const changed = page.getByRole("region", { name: "What changed" });
  await changed
    .getByText(/^1 new query fails, \d+ (query is|queries are) new, 1 query is gone, 2 queries got slower\.$/)
    .waitFor();
  const texts = (await changed.locator("table").first().getByRole("row").allTextContents()).slice(1);
  expect(texts[0]).toMatch(/^fix-testpass rateno run0 %, \d+ runsnew✗ fails–$/);
  expect(texts.join("\n")).toMatch(/^cancelpass rate100 %, \d+ runsno rungone○ no run–$/m);
});

test.each([
  ["2880m", "last 2 days"],
  ["90m", "last 90 minutes"],
  ["48h", "last 2 days"],
])("the time of the address %s reads %s", async (since, words) => {
  const page = await openPage(browser, `${served.address}/?since=${since}`);
  await page.getByRole("status").getByText(words).waitFor();
  await expect.poll(() => page.getByLabel("Time range").locator("option:checked").textContent()).toBe(words);
  await expect.poll(() => page.getByRole("main").textContent()).not.toMatch(/\d+m\b/);
});
