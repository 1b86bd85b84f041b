import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { faultsInWindows } from "./looked-at.ts";
import { serve, shownBy } from "./served.ts";

const ui = shownBy(async () => {
  const served = await serve();
  await served.send(
    "rag-weather-broken.langgraph",
    "rag-weather-fixed.langgraph",
    "rag-aws.langgraph",
    "support-cancel.agents-sdk",
    "dev-forbidden.agents-sdk",
  );
  return served;
});

const queries = (page: Page): Promise<string[]> => page.locator("a.run-row .c-query").allTextContents();

describe("the list of runs", () => {
  test("says in 36 pixels which run it was and why it failed", async () => {
    const page = await ui.open("/runs?outcome=fail&query=weather");
    const row = page.getByRole("link", { name: /weather in Tokyo/ });
    await expect.poll(() => row.locator(".c-why").textContent()).toMatch(/^tavily_search was called/);
    expect((await row.boundingBox())?.height).toBe(36);
    await expect.poll(() => page.locator(".heads").innerText()).toMatch(/^Outcome\s+Query\s+Why\s+Model/);
  });

  test("counts each facet's values, and is narrowed by them, each view with an address of its own", async () => {
    const page = await ui.open("/runs");
    const checks = page.getByRole("group", { name: "Unmet check" });
    await checks.getByRole("checkbox", { name: /^forbidden_tools 2$/ }).check();
    await page.getByRole("status").getByText("2 runs: 2 failed").waitFor();
    await page.getByRole("group", { name: "Agent" }).getByRole("checkbox", { name: "dev-agent 1" }).check();
    await page.getByRole("status").getByText("1 run: 1 failed").waitFor();
    // Other values of the same facet stay there, with the runs that they would add.
    await page.getByRole("group", { name: "Agent" }).getByRole("checkbox", { name: "rag-agent 1" }).check();
    await page.getByRole("status").getByText("2 runs: 2 failed").waitFor();
    const again = await ui.open(new URL(page.url()).pathname + new URL(page.url()).search);
    await again.getByRole("status").getByText("2 runs: 2 failed").waitFor();
    await again.getByRole("link", { name: /^agent: dev-agent/ }).click();
    await again.getByRole("link", { name: /^agent: rag-agent/ }).click();
    await again.getByRole("link", { name: "Clear", exact: true }).click();
    await again.getByRole("status").getByText("5 runs: 2 failed").waitFor();
    expect(new URL(again.url()).search).toBe("");
  });

  test("is sorted by its heads", async () => {
    const page = await ui.open("/runs");
    await page.getByRole("link", { name: "Tokens" }).click();
    await page.getByRole("link", { name: /^Tokens.*highest first/ }).waitFor();
    await expect.poll(async () => (await queries(page))[0]).toBe("What's the weather in Tokyo? rag-agent");
    const falling = await queries(page);
    await page.getByRole("link", { name: /^Tokens.*highest first/ }).click();
    await page.getByRole("link", { name: /^Tokens.*lowest first/ }).waitFor();
    await expect.poll(() => queries(page)).toEqual(falling.toReversed());
  });

  test("names the filter to do without where no run fits", async () => {
    const page = await ui.open("/runs?query=weather&agent=dev-agent");
    await page.getByRole("link", { name: "Without query weather: 1 run" }).waitFor();
    await page.getByRole("link", { name: "Without agent dev-agent: 2 runs" }).click();
    await page.getByRole("status").getByText("2 runs: 1 failed").waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe("?query=weather");
  });

  test("is where it was left after a look at a run", async () => {
    const page = await ui.open("/runs", { height: 340 });
    await page.locator("a.run-row").first().waitFor();
    await page.locator(".virtual").evaluate((box) => (box.scrollTop = 10));
    await page
      .getByRole("link", { name: /weather in Tokyo/ })
      .first()
      .click();
    await page.getByRole("heading", { level: 1, name: "What's the weather in Tokyo?" }).waitFor();
    await page.goBack();
    await expect.poll(() => page.locator(".virtual").evaluate((box) => box.scrollTop)).toBe(10);
  });
});

test("with its filters nothing keeps people out or sticks out", async () => {
  const faults = await faultsInWindows(ui.browser, `${ui.served.address}/runs?outcome=fail`, async (page) => {
    const filters = page.getByRole("button", { name: /^Filters/ });
    if (await filters.isVisible()) await filters.click();
    await page.getByRole("group", { name: "Verdict" }).waitFor();
  });
  expect(faults).toEqual([]);
});
