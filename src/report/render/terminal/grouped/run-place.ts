import type { VerdictJson } from "../../../json/verdict-schema.ts";
import { shellWord } from "./next-command.ts";

/** Maximum number of file names in a command. With more files, the command names their common folder. */
const MOST_FILES = 4;

/** Returns the command that displays the run of a verdict. Returns null if the run has no source. */
export function inspectCommand({ run_id: id, source, sources }: VerdictJson): string | null {
  if (source === undefined) return null;
  const files = sources ?? [source.file];
  const named = files.length > MOST_FILES ? [commonFolder(files)] : files;
  return `tracejury inspect ${named.map(shellWord).join(" ")} --run ${id.slice(0, 12)}`;
}

function commonFolder(files: readonly string[]): string {
  const [first = [], ...others] = files.map((file) => file.split("/").slice(0, -1));
  const differs = first.findIndex((name, at) => others.some((folders) => folders[at] !== name));
  return first.slice(0, differs < 0 ? first.length : differs).join("/") || ".";
}

/** Returns a position as `file:line`. A position without a line is a folder or the address of a collector. */
export function placeText({ file, line }: NonNullable<VerdictJson["source"]>): string {
  return file.endsWith("/") || /^https?:/.test(file) ? file : `${file}:${line}`;
}

/**
 * Returns the position of the run's root span, one other file with telemetry of the run, and the number of
 * further files. Returns null if the run has no source.
 */
export function runPlace({ source, sources = [] }: VerdictJson): string | null {
  if (source === undefined) return null;
  const place = placeText(source);
  const [, second, ...rest] = sources;
  if (second === undefined) return place;
  return `${place}, more of the run in ${second}${rest.length === 0 ? "" : ` and ${rest.length} more`}`;
}
