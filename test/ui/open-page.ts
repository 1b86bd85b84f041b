import type { Browser, BrowserContext, ConsoleMessage, Page } from "playwright-core";
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

/** Blank pages that earlier tests have left: a page of its own for each test would take a process, which compiles all scripts anew. */
const idle = new WeakMap<BrowserContext, Page[]>();

/** Opens an address until the test ends; whatever the browser complains about fails the test. */
export async function openPage(browser: Browser, address: string, look: Look = {}): Promise<Page> {
  const { width = 1280, height = 800, colorScheme = "light" } = look;
  const context = await contextOf(browser);
  const pages = idle.get(context) ?? [];
  idle.set(context, pages);
  const page = pages.pop() ?? (await context.newPage());
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
  page.setDefaultTimeout(LONGEST_WAIT_MS);
  const complaints: string[] = [];
  const onMessage = (message: ConsoleMessage): void => {
    if (message.type() === "error") complaints.push(message.text());
  };
  const onError = (error: Error): void => void complaints.push(error.message);
  page.on("console", onMessage).on("pageerror", onError);
  onTestFinished(async () => {
    if (!page.isClosed()) {
      await page.unrouteAll();
      await page.goto("about:blank");
      page.off("console", onMessage).off("pageerror", onError);
      pages.push(page);
    }
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
