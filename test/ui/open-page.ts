import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { LONGEST_WAIT_MS } from "../support/eventually.ts";

export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: "light" | "dark";
}

const contexts = new WeakMap<Browser, Promise<BrowserContext>>();

/** The context of all pages of a browser: what they load is loaded once. */
function contextOf(browser: Browser): Promise<BrowserContext> {
  const context = contexts.get(browser) ?? browser.newContext({ locale: "en-US", reducedMotion: "reduce" });
  contexts.set(browser, context);
  return context;
}

/** Opens an address until the test ends; whatever the browser complains about fails the test. */
export async function openPage(browser: Browser, address: string, look: Look = {}): Promise<Page> {
  const { width = 1280, height = 800, colorScheme = "light" } = look;
  const page = await (await contextOf(browser)).newPage();
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
  page.setDefaultTimeout(LONGEST_WAIT_MS);
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  onTestFinished(async () => {
    await page.close();
    expect(complaints).toEqual([]);
  });
  await page.goto(address);
  return page;
}

/** How much of the page moved by itself since it was opened, as browsers count it: up to 0.1 is called good. */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
        });
        observer.observe({ type: "layout-shift", buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      }),
  );
}
