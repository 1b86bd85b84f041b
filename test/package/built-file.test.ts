import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { builtFile } from "../../src/support/process/built-file.ts";

const root = pathToFileURL(`${process.cwd()}/`).href;

test.each([
  ["the bundle", "replay-worker", "dist/lib/replay.cjs", "dist/lib/replay-worker.cjs"],
  ["the sources", "replay-worker", "src/replay/workers/worker-pool.ts", "dist/lib/replay-worker.cjs"],
  [
    "what was compiled",
    "replay-worker",
    "dist/src/replay/workers/worker-pool.js",
    "dist/lib/replay-worker.cjs",
  ],
  [
    "what is not in the bundle",
    "own",
    "dist/src/replay/workers/worker-pool.js",
    "dist/src/replay/workers/own.js",
  ],
])("%s starts its file", (_, name, importer, file) => {
  expect(builtFile(name, `${root}${importer}`).href).toBe(`${root}${file}`);
});

test.each(["dist/page", "dist/report"])("%s is built for production, also by a test run", (folder) => {
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(0);
  // A build for development has the file of each element.
  for (const name of scripts) expect(readFileSync(join(folder, name), "utf8")).not.toContain(process.cwd());
});
