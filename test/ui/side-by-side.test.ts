import { describe, expect, test } from "vitest";
import { faultsOf } from "./looked-at.ts";
import { serve, shownBy } from "./served.ts";

/** Ids of the runs about the weather: the one that failed, the one that passed. */
let failed: string;
let passed: string;

const ui = shownBy(async () => {
  const served = await serve();
  await served.send("rag-weather-broken.langgraph", "rag-weather-fixed.langgraph", "rag-aws.langgraph");
  failed = await served.idOf("query=weather&outcome=fail");
  passed = await served.idOf("query=weather&outcome=pass");
  return served;
});

describe("two runs side by side", () => {
  test("are reached from a run by the last pass of its query: the first step that differs is in the heading", async () => {
    const page = await ui.open(`/runs/${failed}`);
    await page.getByRole("link", { name: "Compare with last pass" }).click();
    await page
      .getByRole("heading", {
        level: 1,
        name: /^A fails, B passes: \d+ of \d+ steps differ, first retriever_tool only in A/,
      })
      .waitFor();
    await expect
      .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
      .toEqual({ a: failed, b: passed });
    const pair = page.locator(".pair.single", { hasText: "tavily_search" }).first();
    await pair.getByText("only in A").waitFor();
    await pair.locator("summary").click();
    await expect
      .poll(() => pair.getByRole("group", { name: "arguments in A" }).innerText())
      .toContain("weather Tokyo");
  });

  test("are reached by two marks in the list", async () => {
    const page = await ui.open("/runs");
    const marks = page.getByRole("checkbox", { name: /^Mark for comparison: What's the weather/ });
    await marks.nth(0).check();
    await page.getByText("1 marked, mark another").waitFor();
    await marks.nth(1).check();
    await page.getByRole("link", { name: "Compare the two" }).click();
    await page.getByRole("heading", { level: 1, name: /steps differ/ }).waitFor();
    const { a, b } = Object.fromEntries(new URL(page.url()).searchParams);
    expect(new Set([a, b])).toEqual(new Set([failed, passed]));
    await expect.poll(() => page.locator(".part mark").count()).toBeGreaterThan(0);
  });

  test("say so where nothing differs, and what to do where there are not two", async () => {
    const page = await ui.open(`/side-by-side?a=${failed}&b=${failed}`);
    await page.getByRole("heading", { level: 1, name: /: all \d+ steps are the same/ }).waitFor();
    await page.getByText(/^\d+ steps are the same$/).click();
    await expect.poll(() => page.locator(".pair.equal").first().isVisible()).toBe(true);
    await page.goto(`${ui.served.address}/side-by-side`);
    await page.getByRole("heading", { name: "Two runs side by side" }).waitFor();
  });
});

describe("keys", () => {
  test("j and k move through the list, Enter opens, Esc comes back to the same row", async () => {
    const page = await ui.open("/runs");
    await page.locator("a.run-row").nth(2).waitFor();
    const focused = (): Promise<string | null> =>
      page.evaluate(() => document.activeElement?.getAttribute("href") ?? null);
    const hrefs = await page
      .locator("a.run-row")
      .evaluateAll((rows) => rows.map((row) => row.getAttribute("href")));
    await page.keyboard.press("j");
    expect(await focused()).toBe(hrefs[0]);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    expect(await focused()).toBe(hrefs[1]);
    await page.keyboard.press("x");
    await page.getByText("1 marked, mark another").waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".run-header").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("a.run-row").first().waitFor();
    await expect.poll(focused).toBe(hrefs[1]);
    await expect.poll(() => new URL(page.url()).pathname).toBe("/runs");
  });

  test("j, k, n and p move through the steps of a run, ] through its checks", async () => {
    const page = await ui.open(`/runs/${failed}`);
    const detail = (text: string | RegExp): Promise<void> =>
      page.locator(".detail h3").getByText(text).waitFor();
    await detail(/5 · tavily_search/);
    await page.keyboard.press("j");
    await detail(/6 · gpt-4o-mini/);
    await page.keyboard.press("k");
    await page.keyboard.press("n");
    await detail(/10 · tavily_search/);
    await page.keyboard.press("p");
    await detail(/5 · tavily_search/);
    await page.keyboard.press("]");
    await expect
      .poll(() => page.locator(".check[aria-pressed=true] strong").innerText())
      .not.toBe("forbidden_tools");
  });

  test("/ searches, ? shows all keys, g and a letter go to a view", async () => {
    const page = await ui.open(`/runs/${failed}`);
    await page.locator(".run-header").waitFor();
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard" });
    await help.getByText("Mark for comparison").waitFor();
    expect((await faultsOf(page)).axe).toEqual([]);
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "hidden" });
    await page.keyboard.press("/");
    await page.locator("[data-search]:focus").fill("Tokyo");
    await page.getByRole("status").getByText("2 runs: 1 failed").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    await page.locator(".view.system").waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/system");
  });
});

test("rows are links: a click for another tab is left to the browser", async () => {
  const page = await ui.open("/runs");
  const row = page.getByRole("link", { name: /weather in Tokyo/ }).first();
  const before = new Set(page.context().pages());
  const tabs = () =>
    page
      .context()
      .pages()
      .filter((one) => !before.has(one));
  // While the list is still drawn, the browser can lose a click.
  await expect
    .poll(async () => {
      if (tabs().length === 0) await row.click({ modifiers: ["ControlOrMeta"] });
      return tabs().length;
    })
    .toBeGreaterThan(0);
  const [tab] = tabs();
  await tab?.getByRole("heading", { level: 1, name: "What's the weather in Tokyo?" }).waitFor();
  for (const one of tabs()) await one.close();
  expect(new URL(page.url()).pathname).toBe("/runs");
});
