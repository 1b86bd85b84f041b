/** A declared attribute name as a small integer, which is fast to compare. Create it with `key`. */
export type AttributeKey = number & { readonly brand: "AttributeKey" };

const names: string[] = [];
/** Declared names; the index is the `AttributeKey`. */
export const declaredNames: readonly string[] = names;
const ids = new Map<string, AttributeKey>();

/**
 * Declares an attribute name at module level: `const MODEL = key("gen_ai.request.model")`. Received attribute
 * names are not added to the table of declared names; readers copy this table into tables of limited size.
 */
export function key(name: string): AttributeKey {
  let id = ids.get(name);
  if (id === undefined) {
    id = names.length as AttributeKey;
    names.push(name);
    ids.set(name, id);
  }
  return id;
}

/** Returns the id of a declared name; undefined if the name is not declared. */
export function declaredKey(name: string): AttributeKey | undefined {
  return ids.get(name);
}
