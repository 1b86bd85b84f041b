import { join, resolve } from "node:path";
import { build } from "vite";
import { temporaryFolder } from "./temporary-folder.ts";

const bundles = new Map<string, Promise<string>>();

/**
 * Bundles `test/fixtures/agents/NAME.mjs` with its libraries into one file and returns its path. It is for tests that start the agent many
 * times: without bundling, a process spends most of its time on loading the files of an SDK.
 */
export function bundledAgent(name: string): Promise<string> {
  const known = bundles.get(name) ?? bundle(name);
  bundles.set(name, known);
  return known;
}

async function bundle(name: string): Promise<string> {
  const outDir = temporaryFolder();
  await build({
    configFile: false,
    logLevel: "error",
    ssr: { noExternal: true },
    resolve: { mainFields: ["module", "main"] },
    build: {
      ssr: resolve(`test/fixtures/agents/${name}.mjs`),
      outDir,
      target: "node20",
      minify: false,
      rolldownOptions: { output: { entryFileNames: "[name].mjs", codeSplitting: false } },
    },
  });
  return join(outDir, `${name}.mjs`);
}
