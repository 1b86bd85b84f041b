import { statSync } from "node:fs";
import { packageFolder } from "./package-folder.ts";

/**
 * Returns the address of a file that a module starts in a thread or process of its own. Node does not run the sources,
 * so they use the bundle's file. So does what was compiled, unless it is newer.
 */
export function builtFile(name: string, importer: string): URL {
  if (importer.endsWith(".cjs")) return new URL(`${name}.cjs`, importer);
  const bundled = new URL(`dist/lib/${name}.cjs`, packageFolder());
  const isNew = changedMs(bundled) >= changedMs(new URL("dist/.tsbuildinfo", packageFolder()));
  return isNew || importer.endsWith(".ts") ? bundled : new URL(`${name}.js`, importer);
}

function changedMs(file: URL): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
