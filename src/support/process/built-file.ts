import { statSync } from "node:fs";
import { packageFolder } from "./package-folder.ts";

/**
 * Returns the URL of the file that a module starts as a thread or process. Bundled modules and modules that run as TypeScript start the
 * bundled file, because Node 20 cannot start TypeScript. A module compiled to `dist/src` starts the bundled file, or if the compiled code
 * is newer than the bundle, the compiled file.
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
