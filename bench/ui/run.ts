import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { openBrowser } from "../../test/ui/browser.ts";
import { fillStore } from "../../test/ui/filled-store.ts";
import { serve } from "../../test/ui/served.ts";
import { agentSpans } from "../data/agent-spans.ts";
import { encode } from "../data/protobuf.ts";
import { requestOf } from "../data/span.ts";
import { postHttp } from "../harness/post.ts";

/*
 * `npm run long -- bench/ui [--runs 20000 --spans 5000]`: fills a store with recorded runs and one run with many spans. Opens the page in a
 * headless Chromium and prints the time of typical actions, one per line.
 */

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "20000" },
    spans: { type: "string", default: "5000" },
  },
});
const [runs, spans] = [Number(values.runs), Number(values.spans)];
const folder = mkdtempSync(join(tmpdir(), "tracejury-ui-"));
const path = join(folder, "store.db");
await fillStore(path, { runs, hours: 20, nowMs: Date.now(), newVersionHours: 10 });
const retention = { maxAgeMs: 86_400_000, maxBytes: 2 ** 34 };
const served = await serve({ mode: "sqlite", path, telemetry: true, retention, perSecond: 1e9 });
const browser = await openBrowser();
try {
  const { live, address } = served;
  const port = Number(live.listening.http?.split(":").at(-1));
  await postHttp(undefined, port, encode(requestOf(agentSpans(77, spans))));
  await live.whenIdle();
  await live.whenJudged();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
  page.setDefaultTimeout(120_000);
  await timeList(page, address);
  await timeRun(page, address);
} finally {
  await browser.close();
  await served.live.stop(5_000);
  rmSync(folder, { recursive: true });
}
/** The list of runs: open, filter, scroll. */
async function timeList(page: Page, address: string): Promise<void> {
  const verdicts = page.getByRole("group", { name: "Verdict" });
  await timed("the list opens", async () => {
    await page.goto(`${address}/runs`);
    await page.locator("a.run-row").first().waitFor();
  });
  await timed("narrowed to failures", async () => {
    await verdicts.getByRole("checkbox", { name: /^fail/ }).check();
    await page.waitForFunction(() => {
      const marks = [...document.querySelectorAll("a.run-row")].map((row) => row.textContent ?? "");
      return marks.length > 0 && marks.every((text) => text.includes("fail"));
    });
  });
  await verdicts.getByRole("checkbox", { name: /^fail/ }).uncheck();
  add("a frame while the list is scrolled, 95th percentile", await scrolled(page, ".virtual", 300));
}

/** The run with many spans. */
async function timeRun(page: Page, address: string): Promise<void> {
  const traceId = `7${(78).toString(16).padStart(31, "0")}`;
  const answer = await fetch(`${address}/api/v1/runs?trace=${traceId}`);
  const { runs: found } = (await answer.json()) as { runs: { run_id: string }[] };
  const run = `/runs/${found[0]?.run_id}`;
  await timed(`a run of ${spans} spans opens`, async () => {
    await page.goto(`${address}${run}`);
    await page.locator(".step").first().waitFor();
  });
  add(
    "a frame while the steps are scrolled, 95th percentile",
    await scrolled(page, ".waterfall .virtual", 300),
  );
  await timed("a step is opened", async () => {
    await page.locator(".step").nth(5).click();
    await page.getByRole("region", { name: /^(tool|model) / }).waitFor();
  });
}

function add(name: string, ms: number): void {
  console.log(`${ms.toFixed(1).padStart(9)} ms  ${name}`);
}

async function timed(name: string, act: () => Promise<void>): Promise<void> {
  const start = performance.now();
  await act();
  add(name, performance.now() - start);
}

/** Scrolls `steps` times by a third of the visible height; returns the 95th percentile of the frame times in milliseconds. */
async function scrolled(page: Page, selector: string, steps: number): Promise<number> {
  await page.locator(selector).first().waitFor();
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
      return times.sort((a, b) => a - b)[Math.floor(0.95 * (times.length - 1))] ?? 0;
    },
    [selector, steps] as const,
  );
}
