import { describe, expect, test } from "vitest";
import type { RunJson } from "../../ui/src/types.ts";
import { serve, shownBy } from "./served.ts";

/** The page of the run about the weather that failed. */
let failed: string;

const ui = shownBy(async () => {
  const served = await serve();
  await served.send("rag-weather-broken.langgraph", "rag-weather-fixed.langgraph");
  failed = `/runs/${await served.idOf("outcome=fail")}`;
  return served;
});

describe("a run that failed", () => {
  test("shows its worst check, the layer that failed first, and the first evidence beside the steps", async () => {
    const page = await ui.open(failed);
    const check = page.getByRole("button", { name: /forbidden_tools/ });
    await expect.poll(() => check.getAttribute("aria-pressed")).toBe("true");
    await expect
      .poll(() => page.locator(".layer-card h2").allInnerTexts())
      .toEqual([
        expect.stringMatching(/^path.*fail$/s),
        expect.stringMatching(/^cost.*warn$/s),
        expect.stringMatching(/^correctness.*pass$/s),
      ]);
    await page
      .getByRole("list", { name: "Tools called, against the spec" })
      .getByText("×6 forbidden")
      .waitFor();

    const detail = page.getByRole("region", { name: "tool tavily_search" });
    await expect
      .poll(() => detail.innerText())
      .toMatch(/evidence 1 of 6[^]*"weather Tokyo"[^]*No web results/);
    const [steps, beside] = await Promise.all([
      page.locator(".waterfall").boundingBox(),
      detail.boundingBox(),
    ]);
    expect(beside?.x).toBeGreaterThanOrEqual((steps?.x ?? 0) + (steps?.width ?? Infinity));
    await detail.getByRole("button", { name: "Next evidence" }).click();
    await detail.getByText("evidence 2 of 6").waitFor();
  });

  test("has the arguments in the rows, the identifiers folded, and the messages around a step", async () => {
    const page = await ui.open(failed);
    const row = page.locator(".step", { hasText: "retriever_tool" }).first();
    await expect.poll(() => row.innerText()).toContain('{"query":"weather in Tokyo"}');
    await expect
      .poll(() => page.locator(".step.model").first().innerText())
      .toContain("asks for tools · 180 in, 17 out");
    const trace = page.locator(".ids dd").first();
    await expect.poll(() => trace.isVisible()).toBe(false);
    await page.getByText("Identifiers and source").click();
    await expect.poll(() => trace.isVisible()).toBe(true);
    await row.click();
    await page.getByRole("region", { name: "tool retriever_tool" }).waitFor();
    await expect
      .poll(() => page.locator(".around .own").allInnerTexts())
      .toEqual([
        expect.stringMatching(/assistant\s+calls retriever_tool/),
        expect.stringMatching(/tool\s+No relevant documents/),
      ]);
  });

  test("a model step shows what it got and what it returned; only a step that asks for nothing answers", async () => {
    const page = await ui.open(failed);
    const models = page.locator(".step.model");
    await models.nth(1).click();
    const detail = page.getByRole("region", { name: /^model gpt-4o-mini/ });
    const input = detail.getByRole("region", { name: "input" });
    await input.getByText("earlier message").waitFor();
    await expect
      .poll(() => input.innerText())
      .toMatch(/assistant[^]*calls retriever_tool[^]*weather in Tokyo[^]*tool[^]*No relevant documents/);
    await expect
      .poll(() => detail.getByRole("region", { name: "output" }).innerText())
      .toMatch(/1 message[^]*assistant[^]*calls tavily_search[^]*weather Tokyo/);
    await input.getByText("earlier message").click();
    await input.getByText("What's the weather in Tokyo?").waitFor();

    const labels = await models.allInnerTexts();
    expect(labels.slice(0, -1).every((text) => text.includes("asks for tools"))).toBe(true);
    expect(labels.at(-1)).toContain("answers");
  });

  test("a model call that ends with `stop` and is followed by a tool call is not said to answer", async () => {
    const api = `/api/v1${failed}`;
    const run = (await (await fetch(`${ui.served.address}${api}`)).json()) as RunJson;
    const page = await ui.open("/runs");
    const llm = run.llm.map((call) => ({ ...call, finish_reason: "stop" }));
    await page.route(`**${api}`, (route) => route.fulfill({ json: { ...run, messages: [], llm } }));
    await page.goto(`${ui.served.address}${failed}`);
    await page.locator(".step.model").first().waitFor();
    const labels = await page.locator(".step.model").allInnerTexts();
    expect(labels.filter((text) => text.includes("answers"))).toEqual([labels.at(-1)]);
  });

  test("marks steps without a time, and keeps a long conversation readable", async () => {
    const api = `/api/v1${failed}`;
    const run = (await (await fetch(`${ui.served.address}${api}`)).json()) as RunJson;
    const long = "word ".repeat(600);
    const said = Array.from({ length: 240 }, (_, at) => ({
      role: at % 2 === 0 ? "user" : "assistant",
      name: null,
      calls: [],
      results: [],
      text: at === 0 ? long : `message ${at + 1}`,
    }));
    const steps = run.steps.map((step) => ({ ...step, span_id: null, start_unix_ms: null }));
    const page = await ui.open("/runs");
    await page.route(`**${api}`, (route) => route.fulfill({ json: { ...run, messages: said, steps } }));
    await page.goto(`${ui.served.address}${failed}`);
    await page.getByText("27 steps without a time", { exact: false }).waitFor();
    await expect.poll(() => page.locator(".step .untimed").first().innerText()).toBe("◇ no time");

    await page.getByRole("link", { name: /^Messages 240/ }).click();
    const messages = page.locator(".message");
    await expect.poll(() => messages.count()).toBe(100);
    expect((await messages.first().innerText()).length).toBeLessThan(1_400);
    await page.getByRole("button", { name: "all 3,000 characters" }).click();
    expect((await messages.first().innerText()).length).toBeGreaterThan(2_900);
    await page.getByRole("button", { name: "Show 100 more" }).click();
    await page.getByText("40 messages are not shown").waitFor();
  });

  test("stays as it is looked at when it is judged again", async () => {
    const page = await ui.open("/runs");
    // Events that say, again and again, that the run was judged.
    const event = `retry: 300\nevent: verdict\ndata: ${JSON.stringify({ run_id: failed.split("/").at(-1) })}\n\n`;
    await page.route("**/api/v1/events", (route) =>
      route.fulfill({ contentType: "text/event-stream", body: event }),
    );
    await page.goto(`${ui.served.address}${failed}`);
    await page.getByText("2 checks pass").click();
    const steps = page.locator(".waterfall .virtual");
    await steps.evaluate((box) => (box.scrollTop = 150));
    await page.evaluate(() => (document.documentElement.scrollTop = 80));
    const readAgain = [`/api/v1${failed}`, "/spans"].map((part) =>
      page.waitForResponse((response) => response.url().includes(part)),
    );
    await Promise.all(readAgain);
    expect(await steps.evaluate((box) => box.scrollTop)).toBe(150);
    await expect
      .poll(() => page.locator("details[open] > summary", { hasText: "2 checks pass" }).count())
      .toBe(1);
  });
});
