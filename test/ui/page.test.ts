import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openBrowser } from "./browser.ts";
import { type Served, serve } from "./served.ts";

let browser: Browser;
let served: Served;

beforeAll(async () => {
  [browser, served] = await Promise.all([openBrowser(), serve()]);
  await served.send(
    "rag-weather-broken.langgraph",
    "rag-weather-fixed.langgraph",
    "rag-aws.langgraph",
    "support-cancel.agents-sdk",
    "dev-forbidden.agents-sdk",
  );
}, 60_000);
afterAll(async () => {
  await browser.close();
  await served.live.stop(2_000);
});

/** Opens a view; whatever the browser complains about fails the test. */
async function open(path: string, width = 1280): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  onTestFinished(async () => {
    await page.close();
    expect(complaints).toEqual([]);
  });
  await page.goto(`${served.address}${path}`);
  return page;
}

describe("a run that failed", () => {
  test("is found by its outcome, says why, and shows the steps that a check rests on", async () => {
    const page = await open("/");
    await page.getByLabel("Outcome").selectOption("fail");
    await page.getByText("2 runs", { exact: true }).waitFor();
    await page.getByRole("link", { name: /weather in Tokyo/ }).click();

    await page.getByRole("heading", { level: 1, name: "What's the weather in Tokyo?" }).waitFor();
    await page.getByRole("button", { name: /forbidden_tools/ }).click();
    const lit = page.locator(".step.lit");
    await page.getByText("the check rests on 6 of these").waitFor();
    expect(new Set(await lit.locator(".name").allTextContents())).toEqual(new Set(["tavily_search"]));
    expect(new URL(page.url()).searchParams.get("check")).toMatch(/^path\.forbidden_tools\./);

    await lit.first().click();
    await page
      .getByRole("region", { name: "tool tavily_search" })
      .getByText("weather Tokyo")
      .first()
      .waitFor();
  });

  test("looks the same to whoever opens the link", async () => {
    const page = await open("/?outcome=fail&text=weather");
    await page.getByText("1 run", { exact: true }).waitFor();
    await page.getByRole("link", { name: /weather in Tokyo/ }).click();
    await page.getByRole("button", { name: /max_tool_calls/ }).click();
    await page.locator(".step.lit").first().waitFor();
    const again = await open(new URL(page.url()).pathname + new URL(page.url()).search);
    await again.locator(".step.lit").first().waitFor();
    expect(await again.getByRole("button", { name: /max_tool_calls/ }).getAttribute("aria-pressed")).toBe(
      "true",
    );
  });
});

test("the page may run only its own files", async () => {
  const answer = await fetch(served.address);
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/^default-src 'none'/);
  expect(policy).not.toMatch(/unsafe|\*|data:|https?:/);
  expect(await answer.text()).not.toMatch(/https?:\/\//);
});
