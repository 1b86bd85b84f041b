import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { openBrowser } from "../ui/browser.ts";
import { fillStore } from "../ui/filled-store.ts";
import { serve, type Served } from "../ui/served.ts";

/*
 * `npm run long -- pictures`: takes the pictures of the README and of `docs/ui` from a store that is filled with the recordings. `-- --out
 * FOLDER --runs N` sets the output folder and the number of runs.
 */

interface Picture {
  readonly name: string;
  /** `RUN` is replaced by the path of the latest failed run. */
  readonly path: string;
  readonly width: number;
  readonly scheme: "light" | "dark";
}

const compared = "/compare?a_version=1.3.0&b_version=1.4.0";
const pictures: readonly Picture[] = [
  { name: "home-1280", path: "/", width: 1280, scheme: "light" },
  { name: "runs-1280", path: "/runs", width: 1280, scheme: "light" },
  { name: "run-1280", path: "RUN", width: 1280, scheme: "dark" },
  { name: "run-390", path: "RUN", width: 390, scheme: "light" },
  { name: "queries-1280", path: "/queries", width: 1280, scheme: "light" },
  { name: "compare-1280", path: compared, width: 1280, scheme: "light" },
  { name: "system-1280", path: "/system", width: 1280, scheme: "light" },
];

const { values } = parseArgs({
  options: { out: { type: "string", default: "docs/ui" }, runs: { type: "string", default: "400" } },
});
const folder = mkdtempSync(join(tmpdir(), "tracejury-pictures-"));
const path = join(folder, "store.db");
await fillStore(path, { runs: Number(values.runs), hours: 60, nowMs: Date.now(), newVersionHours: 24 });
const served = await serve({
  mode: "sqlite",
  path,
  telemetry: true,
  retention: { maxAgeMs: 1e12, maxBytes: 2 ** 33 },
  perSecond: 1_000,
});
const browser = await openBrowser();
try {
  await served.send("rag-weather-broken.langgraph");
  mkdirSync(values.out, { recursive: true });
  for (const picture of pictures) await take(picture, browser, served);
} finally {
  await browser.close();
  await served.live.stop(5_000);
  rmSync(folder, { recursive: true });
}

async function take(picture: Picture, from: Browser, { address }: Served): Promise<void> {
  const { name, path: wantedPath, width, scheme } = picture;
  const page = await from.newPage({ viewport: { width, height: 800 }, locale: "en-US", colorScheme: scheme });
  page.on("console", (message) => message.type() === "error" && console.error(`${name}: ${message.text()}`));
  const start = performance.now();
  await page.goto(`${address}${wantedPath === "RUN" ? await newestFailure(address) : wantedPath}`);
  await page.locator("h1").first().waitFor();
  await page.waitForFunction(() => document.querySelector(".skeleton") === null);
  console.log(`${name}: shown after ${Math.round(performance.now() - start)} ms`);
  // The code of plots is loaded when they are first visible.
  await page.waitForLoadState("networkidle", { timeout: 2_000 }).catch(() => undefined);
  await page.screenshot({ path: join(values.out, `${name}.png`) });
  await page.close();
}

async function newestFailure(address: string): Promise<string> {
  const answer = await fetch(`${address}/api/v1/runs?outcome=fail&agent=rag-agent&limit=1`);
  const { runs: found } = (await answer.json()) as { runs: { run_id: string }[] };
  return `/runs/${encodeURIComponent(found[0]?.run_id ?? "")}`;
}
