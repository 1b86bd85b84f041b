import { existsSync } from "node:fs";

let found: URL | undefined;

/** The package's own folder, which holds `config/`, `proto/` and `specs/`; the same from the sources, from what tsc built and from the bundle. */
export function packageFolder(): URL {
  found ??= folderAbove(new URL("./", import.meta.url));
  return found;
}

function folderAbove(folder: URL): URL {
  const up = new URL("../", folder);
  return existsSync(new URL("package.json", folder)) || up.href === folder.href ? folder : folderAbove(up);
}
