import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { LONGEST_WAIT_MS } from "../support/eventually.ts";
import { recordedDump } from "../support/recorded-run.ts";
import { cli, runCli } from "../support/run-cli.ts";
import { sharedBrowser } from "./browser.ts";
import { faultsInWindows } from "./looked-at.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const runs = "test/fixtures/runs";
let browser: Browser;
const dir = temporaryFolder();
let file = "";

beforeAll(async () => {
  file = join(dir, "report.html");
  const spec = ["--spec", "specs/rag-agent.yaml", "--judge", "off", "--baseline-dir", join(dir, "baselines")];
  await runCli("save", `${runs}/rag-weather-fixed.langgraph.jsonl`, ...spec, "--version", "v1");
  await runCli("test", runs, ...spec, "--baseline", "v1", "--output", `html=${file}`);
  browser = await sharedBrowser();
});

async function opened(path: string): Promise<{ page: Page; said: string[] }> {
  const context = await browser.newContext({ offline: true, bypassCSP: false });
  context.setDefaultTimeout(LONGEST_WAIT_MS);
  const page = await context.newPage();
  const said: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") said.push(message.text());
  });
  page.on("pageerror", (error) => said.push(error.message));
  await page.goto(pathToFileURL(path).href);
  return { page, said };
}

describe("the HTML report in a browser, from a file and without network", () => {
  test("begins with what failed: how often, why, in which file, and the next command", async () => {
    const { page, said } = await opened(file);
    await expect
      .poll(() => page.getByRole("heading", { level: 1 }).innerText())
      .toMatch(/\d+ of \d+ runs failed/);
    const group = page.locator(".panel").first();
    await expect
      .poll(() => group.getByRole("heading", { level: 2 }).innerText())
      .toBe("What's the weather in Tokyo?");
    const text = await group.innerText();
    expect(text).toContain("forbidden_tools tavily_search was called and is forbidden");
    expect(text).toMatch(/rag-weather-broken\.langgraph\.jsonl:\d+$/);
    expect(text).toMatch(/→ tracejury inspect \S*rag-weather-broken\.langgraph\.jsonl --run [0-9a-f]{12}/);
    await expect
      .poll(() => group.locator(".diff .minus").innerText())
      .toMatch(/tavily_search[\s\S]*forbidden/);
    expect(said).toEqual([]);
  });

  test("lists failures first; an opened one has its steps on a line of time and what differs from the baseline", async () => {
    const { page, said } = await opened(file);
    await expect
      .poll(() => page.locator("#runs > details > summary .mark").first().innerText())
      .toMatch(/fail/);
    await page.selectOption("#outcome", "fail");
    await expect.poll(() => page.locator("#runs > details").count()).toBe(1);
    await page.locator("#runs > details > summary").click();
    const steps = page.locator(".step-bars li");
    await steps.first().waitFor();
    await expect.poll(() => steps.count()).toBe(22);
    await expect.poll(() => steps.first().innerText()).toMatch(/model[\s\S]*gpt-4o-mini[\s\S]*ms/);
    const bar = await page.locator(".step-bars .bar").first().boundingBox();
    expect(bar?.width).toBeGreaterThan(1);
    await expect.poll(() => page.getByText(/baseline v1: \d+ differences, regressed/).count()).toBe(1);
    await expect.poll(() => page.getByText("REGRESSION", { exact: false }).first().isVisible()).toBe(true);
    const place = page.getByRole("status");
    await page.fill("#words", "no run has these words");
    await place.getByText(/^0 of \d+/).waitFor();
    await page.fill("#words", "tavily_search was called");
    await place.getByText(/^1 of \d+/).waitFor();
    expect(said).toEqual([]);
  });

  test("has pass rates by query and model; a cell filters the list", async () => {
    const { page } = await opened(file);
    const rates = page.getByRole("table");
    const head = await rates.getByRole("columnheader").allInnerTexts();
    expect(head.at(0)).toBe("Query");
    expect(head.at(-1)).toBe("all");
    // The query that fails most is on top.
    await expect.poll(() => rates.getByRole("rowheader").first().innerText()).toMatch(/^weather/);
    await rates.getByRole("button", { name: /^weather, gpt-4o-mini: .*fail.* \d+ %/ }).click();
    const place = await page.locator("#place").innerText();
    expect(Number(/^\d+/.exec(place)?.[0])).toBe(await page.locator("#runs > details").count());
    for (const query of await page.locator("#runs summary strong").allInnerTexts())
      expect(query).toContain("weather in Tokyo");
    await page.getByLabel("Split by").selectOption("agent");
    await rates.getByRole("columnheader", { name: "rag-agent" }).waitFor();
  });

  test("nothing keeps people out at any width and in any colours", async () => {
    const unfold = (page: Page): Promise<void> =>
      page.locator("#runs > details").evaluateAll((all) => {
        for (const one of all.slice(0, 5)) (one as HTMLDetailsElement).open = true;
      });
    expect(await faultsInWindows(browser, pathToFileURL(file).href, unfold)).toEqual([]);
  });

  test("opens everything on paper", async () => {
    const { page } = await opened(file);
    // What is not there when the event has been handled is not printed.
    const shown = await page.evaluate(() => {
      window.dispatchEvent(new Event("beforeprint"));
      const count = (selector: string): number => document.querySelectorAll(selector).length;
      return [count("#runs > details"), count("#runs > details[open]"), count("#runs > details > .open")];
    });
    expect(new Set(shown).size).toBe(1);
    expect(shown[0]).toBeGreaterThan(1);
  });

  test("lets nothing in it run, whatever strangers wrote", async () => {
    const hostile = `</script><script>window.hit=1</script><img src=x onerror="window.hit=1"> ]]> ::error::x \u202e ${"a".repeat(1 << 20)}`;
    const dump = join(dir, "hostile.jsonl");
    const query = "What's the weather in Tokyo?";
    writeFileSync(
      dump,
      recordedDump({ trace: "t", query, answer: hostile, tools: [hostile], agent: "rag-agent" }),
    );
    const report = join(dir, "hostile.html");
    await cli`test ${dump} --spec specs/rag-agent.yaml --judge off --output html=${report}`;
    const { page, said } = await opened(report);
    await page.locator("#runs > details > summary").click();
    expect(await page.evaluate("window.hit")).toBeUndefined();
    await expect.poll(() => page.locator("#runs pre").innerText()).toContain("<img src=x");
    expect(said).toEqual([]);
  });
});
