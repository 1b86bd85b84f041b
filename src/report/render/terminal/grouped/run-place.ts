import type { VerdictJson } from "../../../json/verdict-schema.ts";
import { shellWord } from "./next-command.ts";

/** So many files are named one by one; of more, their folder. */
const MOST_FILES = 4;

/** The command that shows the run behind a verdict, with all files that hold it; null where it is from no dump. */
export function inspectCommand({ run_id: id, source, sources }: VerdictJson): string | null {
  if (source === undefined) return null;
  const files = sources ?? [source.file];
  const named = files.length > MOST_FILES ? [commonFolder(files)] : files;
  return `tracejury inspect ${named.map(shellWord).join(" ")} --run ${id.slice(0, 12)}`;
}

/** The deepest folder that all files are in. */
function commonFolder(files: readonly string[]): string {
  const [first = [], ...others] = files.map((file) => file.split("/").slice(0, -1));
  const differs = first.findIndex((name, at) => others.some((folders) => folders[at] !== name));
  return first.slice(0, differs < 0 ? first.length : differs).join("/") || ".";
}

/** A line of a file; the folder alone for a run that an agent sent in some requests. */
export function placeText({ file, line }: NonNullable<VerdictJson["source"]>): string {
  return file.endsWith("/") ? file : `${file}:${line}`;
}

/** Where a run is in a dump: the place of its root, and how many further files hold parts of it; null where it is from no dump. */
export function runPlace({ source, sources = [] }: VerdictJson): string | null {
  if (source === undefined) return null;
  const place = placeText(source);
  const [, second, ...rest] = sources;
  if (second === undefined) return place;
  return `${place}, parts in ${second}${rest.length === 0 ? "" : ` and ${rest.length} more`}`;
}
