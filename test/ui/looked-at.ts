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

/** Rules of axe: all, those about contrast only, or all but those. */
type Rules = "all" | "contrast" | "no contrast";

/** What axe finds, and how many pixels the view is wider than the window. */
export async function faultsOf(page: Page, rules: Rules = "all"): Promise<Faults> {
  await page.waitForFunction(() => document.querySelector(".skeleton") === null);
  // A policy without unsafe-eval holds for injected text too; a file that the browser is told to run is let in by the debugger.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  return page.evaluate(async (which) => {
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(document, {
      ...(which === "contrast" ? { runOnly: ["color-contrast"] } : {}),
      ...(which === "no contrast" ? { rules: { "color-contrast": { enabled: false } } } : {}),
      resultTypes: ["violations"],
    });
    return {
      axe: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`),
      tooWide: Math.max(0, document.documentElement.scrollWidth - window.innerWidth),
    };
  }, rules);
}

/**
 * Faults of the view at an address; none when it is right. A desk's width is looked at in light and in dark colours, a phone's without its
 * contrast: which colours there are does not depend on the width, and in the dark only the contrast differs.
 * @param prepare brings the view into the state to look at, once at each width
 */
export async function faultsInWindows(
  browser: Browser,
  address: string,
  prepare: (page: Page) => Promise<void> = () => Promise.resolve(),
): Promise<readonly object[]> {
  const found: object[] = [];
  const look = async (page: Page, name: string, rules?: Rules): Promise<void> => {
    const faults = await faultsOf(page, rules);
    if (faults.axe.length + faults.tooWide > 0) found.push({ name, ...faults });
  };
  const page = await openPage(browser, address);
  await page.locator("h1").first().waitFor();
  await prepare(page);
  await look(page, "desk");
  await page.emulateMedia({ colorScheme: "dark" });
  await look(page, "desk, dark", "contrast");
  await page.setViewportSize({ width: 390, height: 800 });
  await prepare(page);
  await look(page, "phone", "no contrast");
  return found;
}

interface Axe {
  run(
    within: Document,
    options: {
      readonly runOnly?: readonly string[];
      readonly rules?: Readonly<Record<string, { readonly enabled: boolean }>>;
      readonly resultTypes: readonly string[];
    },
  ): Promise<{
    violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
  }>;
}
