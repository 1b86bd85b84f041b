import { existsSync } from "node:fs";
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";
import { LONGEST_WAIT_MS } from "../support/eventually.ts";

const installed = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"];

/** A headless Chromium: that of the machine, else the one that comes with the development dependencies. */
export async function openBrowser(): Promise<Browser> {
  const own = process.env["CHROMIUM_PATH"] ?? installed.find((path) => existsSync(path));
  if (own !== undefined)
    return playwright.launch({ executablePath: own, args: quiet, timeout: LONGEST_WAIT_MS });
  return playwright.launch({
    executablePath: await unpacked(),
    args: [...chromium.args.filter((flag) => !flag.startsWith("--single-process")), ...quiet],
    timeout: LONGEST_WAIT_MS,
  });
}

let shared: Promise<Browser> | undefined;

/** The browser of all tests of this process, which ends with it. Pages are opened in contexts of their own. */
export function sharedBrowser(): Promise<Browser> {
  return (shared ??= openBrowser());
}

/** The browser is unpacked once, and not for each run of the tests. */
async function unpacked(): Promise<string> {
  const { TMPDIR: ownFolder, TESTS_OUTER_TMPDIR: outer } = process.env;
  if (ownFolder === undefined || outer === undefined) return chromium.executablePath();
  process.env["TMPDIR"] = outer;
  try {
    return await chromium.executablePath();
  } finally {
    process.env["TMPDIR"] = ownFolder;
  }
}
