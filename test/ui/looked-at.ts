import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { openPage } from "./open-page.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Faults {
  readonly axe: readonly string[];
  /** Pixels that the view is wider than the window. */
  readonly tooWide: number;
}

/**
 * What axe finds, and how many pixels the view is wider than the window.
 * @param rules those of axe; all when absent
 */
export async function faultsOf(page: Page, rules?: readonly string[]): Promise<Faults> {
  await page.waitForFunction(() => document.querySelector(".skeleton") === null);
  // A policy without unsafe-eval holds for injected text too; a file that the browser is told to run is let in by the debugger.
  await page.evaluate(axe);
  return page.evaluate(async (only) => {
    const options = only === undefined ? {} : { runOnly: only };
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(document, {
      ...options,
      resultTypes: ["violations"],
    });
    return {
      axe: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`),
      tooWide: Math.max(0, document.documentElement.scrollWidth - window.innerWidth),
    };
  }, rules);
}

/**
 * Faults of the view at an address; none when it is right. A desk's width is looked at in light and in dark colours, a phone's in light:
 * which colours there are does not depend on the width, and in the dark only the contrast differs.
 */
export async function faultsInWindows(
  browser: Browser,
  address: string,
  prepare: (page: Page) => Promise<void> = () => Promise.resolve(),
): Promise<readonly object[]> {
  const found: object[] = [];
  const look = async (page: Page, name: string, rules?: readonly string[]): Promise<void> => {
    const faults = await faultsOf(page, rules);
    if (faults.axe.length + faults.tooWide > 0) found.push({ name, ...faults });
  };
  for (const [name, width] of [
    ["desk", 1280],
    ["phone", 390],
  ] as const) {
    const page = await openPage(browser, address, { width });
    await page.locator("h1").first().waitFor();
    await prepare(page);
    await look(page, name);
    if (name === "desk") {
      await page.emulateMedia({ colorScheme: "dark" });
      await look(page, "desk, dark", ["color-contrast"]);
    }
    await page.close();
  }
  return found;
}

interface Axe {
  run(
    within: Document,
    options: { readonly runOnly?: readonly string[]; readonly resultTypes: readonly string[] },
  ): Promise<{
    violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
  }>;
}
