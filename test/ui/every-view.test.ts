import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedBrowser } from "./browser.ts";
import { fillStore } from "./filled-store.ts";
import { faultsInWindows } from "./looked-at.ts";
import { layoutShift, openPage } from "./open-page.ts";
import { type Served, serve, serveFile } from "./served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
let browser: Browser;
let collectors: Readonly<Record<"none" | "few" | "many", Served>>;

beforeAll(async () => {
  const path = join(folder, "store.db");
  await fillStore(path, { runs: 150, hours: 47, nowMs: Date.now(), newVersionHours: 24 });
  const [opened, none, few, many] = await Promise.all([sharedBrowser(), serve(), serve(), serveFile(path)]);
  browser = opened;
  collectors = { none, few, many };
  await few.send("rag-weather-broken.langgraph", "rag-weather-fixed.langgraph", "support-cancel.agents-sdk");
  await many.send("rag-weather-broken.langgraph");
});
afterAll(async () => {
  for (const { live } of Object.values(collectors)) await live.stop(2_000);
});

/** Addresses of all views; FAIL and PASS stand for the newest runs of the query `weather` with this outcome. */
const views: readonly (readonly [amount: keyof typeof collectors, name: string, path: string])[] = [
  ["none", "Home", "/"],
  ["none", "System", "/system"],
  ["few", "Run", "/runs/FAIL"],
  ["few", "side by side", "/side-by-side?a=FAIL&b=PASS"],
  ["few", "the conversation of a run", "/runs/FAIL?tab=conversation"],
  ["few", "the tools of a run", "/runs/FAIL?tab=tools"],
  ["few", "Compare, nothing in common", "/compare?a_model=gpt-4o-mini&b_model=gpt-4o-2024"],
  ["many", "Home since yesterday", "/"],
  ["many", "Runs", "/runs"],
  ["many", "Compare, versions", "/compare?a_version=1.3.0&b_version=1.4.0"],
  ["many", "Queries", "/queries?since=7d"],
  ["many", "a query", `/queries?since=7d&open=${encodeURIComponent('["rag-agent","weather"]')}`],
  ["many", "System", "/system"],
];

test.each(views)(
  "nothing keeps people out at any width and in any colours: %s runs, %s",
  async (amount, _, path) => {
    const { address } = collectors[amount];
    const ofRuns = await withRuns(address, path);
    expect(await faultsInWindows(browser, `${address}${ofRuns}`)).toEqual([]);
  },
);

test.each([
  ["few", "/?since=2020-01-01T00:00:00Z&until=2020-01-02T00:00:00Z", "No run was judged"],
  ["few", "/side-by-side", "Two runs side by side"],
] as const)("a view that has nothing to show has a heading: %s runs, %s", async (amount, path, name) => {
  const page = await openPage(browser, `${collectors[amount].address}${path}`);
  await expect.poll(() => page.getByRole("heading", { level: 1, name }).count()).toBe(1);
});

/** Views that are drawn in several steps, and what is there when they are drawn. */
const drawn: readonly (readonly [path: string, last: string])[] = [
  ["/runs?outcome=fail", "a.run-row"],
  ["/runs/FAIL", ".layer-card"],
  ["/runs/FAIL?tab=conversation", ".layer-card"],
  ["/runs/FAIL?tab=tools", ".layer-card"],
  ["/side-by-side?a=FAIL&b=PASS", ".pair"],
];

test.each(drawn)("nothing moves by itself: %s", async (path, last) => {
  const { address } = collectors.few;
  for (const width of [1280, 390]) {
    const page = await openPage(browser, `${address}${await withRuns(address, path)}`, { width });
    await page.locator(last).first().waitFor();
    expect(await layoutShift(page)).toBeLessThan(0.02);
  }
});

async function withRuns(address: string, path: string): Promise<string> {
  const newest = async (outcome: string): Promise<string> => {
    const answer = await fetch(`${address}/api/v1/runs?query=weather&outcome=${outcome}&limit=1`);
    const { runs } = (await answer.json()) as { runs: { run_id: string }[] };
    return encodeURIComponent(runs[0]?.run_id ?? "");
  };
  return path
    .replace("FAIL", path.includes("FAIL") ? await newest("fail") : "")
    .replace("PASS", path.includes("PASS") ? await newest("pass") : "");
}
