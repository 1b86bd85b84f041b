import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import chromium from "@sparticuz/chromium";
import type * as library from "playwright-core";
import { LONGEST_WAIT_MS } from "../support/eventually.ts";

// Of an import, Node would parse the library's 4 MB for their exports first.
const { chromium: playwright } = createRequire(import.meta.url)("playwright-core") as typeof library;

const installed = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"].concat(
  // Pages of one address share a process, with the scripts that it has compiled.
  "--process-per-site",
  "--disable-software-rasterizer",
);

/** One process for all, which crashes; and a graphics processor in software, which takes a fifth of the time. */
const unwanted =
  /^--(?:single-process|use-gl|use-angle|enable-unsafe-swiftshader|ignore-gpu-blocklist|in-process-gpu)/;

/** A headless Chromium: that of the machine, else the one that comes with the development dependencies. */
export async function openBrowser(): Promise<library.Browser> {
  const own = process.env["CHROMIUM_PATH"] ?? installed.find((path) => existsSync(path));
  if (own !== undefined)
    return playwright.launch({ executablePath: own, args: quiet, timeout: LONGEST_WAIT_MS });
  return playwright.launch({
    executablePath: await unpacked(),
    args: [...chromium.args.filter((flag) => !unwanted.test(flag)), ...quiet],
    timeout: LONGEST_WAIT_MS,
  });
}

let shared: Promise<library.Browser> | undefined;

/** The browser of all tests of this process, which ends with it. */
export function sharedBrowser(): Promise<library.Browser> {
  return (shared ??= openBrowser());
}

/**
 * The browser is unpacked once, and not for each run of the tests. Its folder gets its name when it is whole: workers may unpack it at the
 * same time, and none runs a file that another still writes.
 */
async function unpacked(): Promise<string> {
  const outer = process.env["TESTS_OUTER_TMPDIR"] ?? tmpdir();
  const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    devDependencies: Record<string, string>;
  };
  const folder = join(outer, `tracejury-chromium-${devDependencies["@sparticuz/chromium"]}`);
  if (!existsSync(folder)) {
    const made = mkdtempSync(join(outer, "tracejury-chromium-"));
    const unpack = 'import chromium from "@sparticuz/chromium"; await chromium.executablePath();';
    // In a process of its own: the library unpacks into the folder for temporary files.
    const env = { ...process.env, TMPDIR: made };
    await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", unpack], { env });
    if (existsSync(folder)) rmSync(made, { recursive: true });
    else renameSync(made, folder);
  }
  return join(folder, "chromium");
}
