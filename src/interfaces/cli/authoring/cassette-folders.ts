import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { CASSETTE_ENDING } from "../../../model-server/cassettes/cassette.ts";

/** Returns the folders that contain cassettes: the folder itself, then its direct subfolders in the order of their names. */
export function cassetteFolders(folder: string): readonly string[] {
  const entries = entriesOf(folder);
  const below = entries.filter((one) => one.isDirectory()).map(({ name }) => join(folder, name));
  return [
    ...(hasCassette(entries) ? [folder] : []),
    ...below.sort().filter((one) => hasCassette(entriesOf(one))),
  ];
}

/** Returns the entries of a folder; empty if the folder cannot be read. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function hasCassette(entries: readonly Dirent[]): boolean {
  return entries.some((one) => one.isFile() && one.name.endsWith(CASSETTE_ENDING));
}
