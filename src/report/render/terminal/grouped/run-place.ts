import type { VerdictJson } from "../../../json/verdict-schema.ts";
import { shellWord } from "./next-command.ts";

/** Maximum number of files that are named individually; above it, their folder is named. */
const MOST_FILES = 4;

/** Returns the command that shows a verdict's run, with all its files; null if the run is not from a dump. */
export function inspectCommand({ run_id: id, source, sources }: VerdictJson): string | null {
  if (source === undefined) return null;
  const files = sources ?? [source.file];
  const named = files.length > MOST_FILES ? [commonFolder(files)] : files;
  return `tracejury inspect ${named.map(shellWord).join(" ")} --run ${id.slice(0, 12)}`;
}

/** Returns the deepest common folder of the files. */
function commonFolder(files: readonly string[]): string {
  const [first = [], ...others] = files.map((file) => file.split("/").slice(0, -1));
  const differs = first.findIndex((name, at) => others.some((folders) => folders[at] !== name));
  return first.slice(0, differs < 0 ? first.length : differs).join("/") || ".";
}

/** Returns a position in a file; for a run without a file of its own, only the folder or the address it came from. */
export function placeText({ file, line }: NonNullable<VerdictJson["source"]>): string {
  return file.endsWith("/") || /^https?:/.test(file) ? file : `${file}:${line}`;
}

/**
 * Returns the position of a run in a dump: that of its root span, and the number of further files with parts
 * of the run. Null if the run is not from a dump.
 */
export function runPlace({ source, sources = [] }: VerdictJson): string | null {
  if (source === undefined) return null;
  const place = placeText(source);
  const [, second, ...rest] = sources;
  if (second === undefined) return place;
  return `${place}, parts in ${second}${rest.length === 0 ? "" : ` and ${rest.length} more`}`;
}
