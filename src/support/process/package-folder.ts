import { existsSync } from "node:fs";

let found: URL | undefined;

/**
 * Returns the folder of the package, which contains `config/`, `proto/` and `specs/`. The folder is the same
 * for sources, compiled code and bundle.
 */
export function packageFolder(): URL {
  found ??= folderAbove(new URL("./", import.meta.url));
  return found;
}

function folderAbove(folder: URL): URL {
  const up = new URL("../", folder);
  return existsSync(new URL("package.json", folder)) || up.href === folder.href ? folder : folderAbove(up);
}
