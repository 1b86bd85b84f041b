/**
 * Returns the name of each spec file: `rag-agent` for `specs/rag-agent.yaml`. Files of one name get the names of their folders, so that
 * names are unique: `shop/agent` and `bank/agent`. Results, gates and missing queries are grouped by these names.
 * @param files paths of different files
 */
export function specNames(files: readonly string[]): ReadonlyMap<string, string> {
  const groups = new Map<string, string[]>();
  for (const file of new Set(files))
    groups.set(specName(file), [...(groups.get(specName(file)) ?? []), file]);
  return new Map(
    [...groups].flatMap(([name, group]) => (group.length < 2 ? [[group[0] ?? "", name]] : told(group))),
  );
}

/** Returns the name of a spec: `rag-agent` for `specs/rag-agent.yaml`. */
export function specName(file: string): string {
  const name = file.slice(file.lastIndexOf("/") + 1);
  return name.replace(EXTENSION, "") || name;
}

const EXTENSION = /\.(ya?ml|json)$/i;

/** Returns the shortest different ends of paths; with the extension, if the paths differ only in their extensions. */
function told(files: readonly string[]): [file: string, name: string][] {
  const paths = files.map((file) => file.split("/").filter((part) => part !== "" && part !== "."));
  const longest = Math.max(...paths.map((parts) => parts.length));
  for (const extension of [EXTENSION, /$^/])
    for (let length = 2; length <= longest; length++) {
      const names = paths.map((parts) => parts.slice(-length).join("/").replace(extension, ""));
      if (new Set(names).size === files.length) return files.map((file, at) => [file, names[at] ?? file]);
    }
  return files.map((file) => [file, file]);
}
