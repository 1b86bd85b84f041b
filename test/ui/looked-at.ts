import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export interface Window {
  readonly width?: number;
  readonly scheme?: "light" | "dark";
}

/** Opens an address; whatever the browser complains about fails the test. */
export async function openPage(
  browser: Browser,
  address: string,
  { width = 1280, scheme = "light" }: Window = {},
): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width, height: 800 },
    locale: "en-US",
    colorScheme: scheme,
  });
  page.setDefaultTimeout(10_000);
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

/** The windows in which every view is looked at. */
export const windows: readonly Required<Window>[] = [
  { width: 1280, scheme: "light" },
  { width: 1280, scheme: "dark" },
  { width: 390, scheme: "light" },
  { width: 390, scheme: "dark" },
];

/** What axe finds, and how many pixels the view is wider than the window. */
export async function faultsOf(page: Page): Promise<{ axe: readonly string[]; tooWide: number }> {
  await page.waitForFunction(() => document.querySelector(".skeleton") === null);
  // A policy without unsafe-eval holds for injected text too; a file that the browser is told to run is let in by the debugger.
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run();
    return {
      axe: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`),
      tooWide: Math.max(0, document.documentElement.scrollWidth - window.innerWidth),
    };
  });
}

interface Axe {
  run(): Promise<{
    violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
  }>;
}
