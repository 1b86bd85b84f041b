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

/** Faults of the view at an address, at the width of a desk and of a phone, in light and in dark colours; none when it is right. */
export async function faultsInWindows(
  browser: Browser,
  address: string,
  prepare: (page: Page) => Promise<void> = () => Promise.resolve(),
): Promise<readonly object[]> {
  const found: object[] = [];
  for (const width of [1280, 390]) {
    const page = await openPage(browser, address, { width });
    await page.locator("h1").first().waitFor();
    await prepare(page);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      // Of all that axe looks at only the contrast is another in other colours.
      const faults = await faultsOf(page, colorScheme === "dark" ? ["color-contrast"] : undefined);
      if (faults.axe.length + faults.tooWide > 0) found.push({ width, colorScheme, ...faults });
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
