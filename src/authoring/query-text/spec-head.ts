import { isMap, parseDocument } from "yaml";

/** Keys that are about the spec's own queries, and not about what any query of it means. */
const own = ["queries", "queries_from", "waivers", "description"];

/** A spec without its queries, up to the line `queries:`; null where it is no spec, or what is left refers to a query. */
export function specHead(text: string): string | null {
  const document = parseDocument(text);
  if (document.errors.length > 0 || !isMap(document.contents)) return null;
  // Defaults with the columns of a table mean nothing without it.
  const isTable = document.has("queries_from");
  for (const key of isTable ? [...own, "defaults"] : own) document.delete(key);
  document.commentBefore = null;
  document.comment = null;
  try {
    return `${document.toString({ lineWidth: 0 })}queries:\n`;
  } catch {
    // An alias without its anchor.
    return null;
  }
}
