import { countsOf } from "../../support/structures/group-by.ts";
import { sha256 } from "../../support/structures/sha256.ts";

const longest = 60;

/**
 * Converts a text into ASCII letters, digits and dashes. Removes accents; a dash replaces every other sequence of characters. The result
 * can be empty and is not truncated.
 */
export function slug(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
}

export interface Named {
  /** Id in the spec; undefined if the id is to be derived from the text. */
  readonly id: string | undefined;
  readonly text: string;
}

/**
 * Returns a unique id for each query, if the ids in the spec are unique: the id in the spec, otherwise the slug of the text. A slug that is
 * empty, too long or not unique gets a hash of the text, so that ids do not depend on the order of queries. Queries with equal texts are
 * numbered.
 */
export function assignIds(queries: readonly Named[]): string[] {
  const slugs = queries.map((query) => query.id ?? (query.text === "*" ? "any" : slug(query.text)));
  const uses = countsOf(slugs);
  const usedIds = new Set(queries.flatMap((query) => (query.id === undefined ? [] : [query.id])));
  const seen = new Map<string, number>();
  return queries.map((query, index) => {
    if (query.id !== undefined) return query.id;
    const own = slugs[index] ?? "";
    if (own !== "" && own.length <= longest && uses.get(own) === 1) return own;
    return hashed(own, query.text, usedIds, seen);
  });
}

function hashed(own: string, text: string, usedIds: Set<string>, seen: Map<string, number>): string {
  const stem = own === "" ? "query" : own.slice(0, longest).replace(/-+$/, "");
  for (;;) {
    const repeat = seen.get(text) ?? 0;
    seen.set(text, repeat + 1);
    const id = `${stem}-${sha256(repeat === 0 ? text : `${text}\0${repeat}`).slice(0, 8)}`;
    if (usedIds.has(id)) continue;
    usedIds.add(id);
    return id;
  }
}
