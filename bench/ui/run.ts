import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { openBrowser } from "../../test/ui/browser.ts";
import { serve, type Served } from "../../test/ui/served.ts";
import { longRun, request } from "./traffic.ts";

/*
 * `npm run long -- bench/ui [--runs 20000 --spans 5000 --json FILE]`: fills a store through the receiver, opens the page in a headless Chromium,
 * and times what people do with it. Prints a line for each figure.
 */

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "20000" },
    spans: { type: "string", default: "5000" },
    json: { type: "string" },
  },
});
const runs = Number(values.runs);
const spans = Number(values.spans);
/** So long is waited for the store, and for the end of the list. */
const longestWaitMs = 300_000;
const figures: { name: string; ms: number }[] = [];
const folder = mkdtempSync(join(tmpdir(), "tracejury-ui-"));
const served = await serve({
  mode: "sqlite",
  path: join(folder, "store.db"),
  telemetry: true,
  retention: { maxAgeMs: 86_400_000, maxBytes: 2 ** 34 },
  perSecond: 1e9,
});
const browser = await openBrowser();
try {
  await timed(`${runs} runs received, judged and stored`, () => fill(served));
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
  page.setDefaultTimeout(120_000);
  await list(page);
  await run(page);
} finally {
  await browser.close();
  await served.live.stop(5_000);
  rmSync(folder, { recursive: true });
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`);

function add(name: string, ms: number): void {
  figures.push({ name, ms });
  console.log(`${ms.toFixed(1).padStart(9)} ms  ${name}`);
}

async function fill({ live, address }: Served): Promise<void> {
  const atOnce = 100;
  for (let sent = 0; sent < runs; sent += atOnce) await post(live.listening.http, request(sent, atOnce));
  await post(live.listening.http, longRun(spans));
  await live.whenIdle();
  await live.whenJudged();
  const deadline = performance.now() + longestWaitMs;
  for (let stored = 0; stored <= runs;) {
    if (performance.now() > deadline) throw new Error(`${stored} runs are stored, and not ${runs + 1}`);
    const { store } = (await (await fetch(`${address}/api/status`)).json()) as { store: { runs: number } };
    stored = store.runs;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function post(to: string | null, body: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`http://${to}/v1/traces`, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(`the receiver said ${answer.status}`);
}

/** The list of runs: opened, narrowed, scrolled. */
async function list(page: Page): Promise<void> {
  const rows = page.locator("a.run-row");
  const failed = page.getByRole("group", { name: "Verdict" }).getByRole("checkbox", { name: /^fail/ });
  const said = (words: RegExp): Promise<void> => page.getByRole("status").getByText(words).waitFor();
  await timed("the list opens", async () => {
    await page.goto(`${served.address}/runs`);
    await rows.first().waitFor();
  });
  await timed("narrowed to failures", async () => {
    await failed.check();
    await page.waitForFunction(() => {
      const marks = [...document.querySelectorAll("a.run-row")].map((row) => row.textContent ?? "");
      return marks.length > 0 && marks.every((text) => text.includes("fail"));
    });
  });
  await failed.uncheck();
  await said(/matched no query/);
  await timed("narrowed to one text among the oldest", async () => {
    await page.getByLabel("Text of the query").fill("What is question 20?");
    await page.getByLabel("Text of the query").press("Enter");
    await said(/^1 run:/);
  });
  await page.getByRole("link", { name: "Clear", exact: true }).click();
  await said(/^[\d,]{3,} runs/);
  frames("a frame while the list is scrolled", await scroll(page, ".virtual", 300));
  await timed("scrolled to the oldest, page by page", () => scrollToEnd(page));
  frames("a frame while all of it is scrolled", await scroll(page, ".virtual", 300));
}

/** The run with the many spans. */
async function run(page: Page): Promise<void> {
  const answer = await fetch(
    `${served.address}/api/v1/runs?trace=${"4d".padStart(16, "0")}${"1".padStart(16, "0")}`,
  );
  const { runs: found } = (await answer.json()) as { runs: { run_id: string }[] };
  const path = `/runs/${found[0]?.run_id}`;
  await timed("its run and spans are read from the API", async () => {
    await Promise.all(
      ["", "/spans"].map(async (what) => (await fetch(`${served.address}/api/v1${path}${what}`)).text()),
    );
  });
  await timed(`a run of ${spans} spans opens`, async () => {
    await page.goto(`${served.address}${path}`);
    await page.locator(".step").first().waitFor();
  });
  frames("a frame while its steps are scrolled", await scroll(page, ".waterfall .virtual", 300));
  await timed("a step is opened", async () => {
    await page.locator(".step").nth(5).click();
    await page.getByRole("region", { name: /^(tool|model) / }).waitFor();
  });
  await timed("all spans as a tree", async () => {
    await page.locator(".waterfall select").selectOption("spans");
    await page.locator(".step.span, .step.tool, .step.model").first().waitFor();
  });
  await timed("a check lights its spans", async () => {
    await page.getByRole("button", { name: /max_tool_calls/ }).click();
    await page.locator(".step.lit").first().waitFor();
  });
}

async function timed(name: string, act: () => Promise<void>): Promise<void> {
  const start = performance.now();
  await act();
  add(name, performance.now() - start);
}

/** Scrolls a screen in three steps, so many steps; gives the time of each frame. */
function scroll(page: Page, selector: string, steps: number): Promise<number[]> {
  return page.evaluate(
    async ([where, count]) => {
      const box = document.querySelector(where);
      if (box === null) throw new Error(`no ${where}`);
      const next = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
      const times: number[] = [];
      for (let step = 0, last = await next(); step < count; step++) {
        box.scrollTop += box.clientHeight / 3;
        const now = await next();
        times.push(now - last);
        last = now;
      }
      box.scrollTop = 0;
      return times;
    },
    [selector, steps] as const,
  );
}

function frames(name: string, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  add(`${name}, median`, at(0.5));
  add(`${name}, 19 of 20 at most`, at(0.95));
}

async function scrollToEnd(page: Page): Promise<void> {
  await page.evaluate(async (longestMs) => {
    const deadline = performance.now() + longestMs;
    const box = document.querySelector(".virtual");
    const more = (): boolean => document.querySelector(".virtual")?.hasAttribute("data-more") === true;
    if (box === null) throw new Error("no list");
    while (more()) {
      if (performance.now() > deadline) throw new Error("the end of the list was not reached");
      box.scrollTop = box.scrollHeight;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }, longestWaitMs);
}
