export type ReadResult =
  | {
      readonly ok: true;
      readonly text: string;
      /** Path with symbolic links resolved. */
      readonly realPath: string;
    }
  | { readonly ok: false; readonly reason: string };

/** Reads files to which a document refers. Paths are separated by `/`, and absolute or relative to the working directory. */
export interface SourceReader {
  read(path: string): ReadResult;
}

/** Returns the folder of a path: `a` for `a/b.yaml`, an empty text for `b.yaml`. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : slash === 0 ? "/" : path.slice(0, slash);
}

/** Joins and normalises paths: `a/c` for `a/b` and `../c`. Leading `..` stay. */
export function joinPath(folder: string, relative: string): string {
  const joined = isAbsolute(relative) || folder === "" ? relative : `${folder}/${relative}`;
  const root = joined.startsWith("/") ? "/" : "";
  const parts: string[] = [];
  for (const part of joined.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== ".." || root === "") parts.push(part);
  }
  return root + parts.join("/");
}

export function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:/.test(path);
}

/** Whether a normalised path is in a normalised folder or below. An empty `folder` means the working directory. */
export function isInside(folder: string, path: string): boolean {
  const prefix = folder === "" || folder === "/" ? folder : `${folder}/`;
  if (!path.startsWith(prefix) || (folder === "" && isAbsolute(path))) return false;
  const rest = path.slice(prefix.length);
  return rest !== ".." && !rest.startsWith("../");
}
