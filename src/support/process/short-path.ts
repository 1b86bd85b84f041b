import { isAbsolute, relative } from "node:path";

/** Returns the path of a file relative to the folder `cwd` if the file is in this folder; otherwise returns the path unchanged. */
export function shortPath(file: string, cwd: string): string {
  const path = relative(cwd, file);
  return isAbsolute(file) && path !== "" && !path.startsWith("..") && !isAbsolute(path) ? path : file;
}
