/** A declared attribute name as a small integer, which is fast to compare. `key` creates it. */
export type AttributeKey = number & { readonly brand: "AttributeKey" };

const names: string[] = [];
/** Declared names, by their `AttributeKey`. */
export const declaredNames: readonly string[] = names;
const ids = new Map<string, AttributeKey>();

/**
 * Declares an attribute name; call it at module level: `const MODEL = key("gen_ai.request.model")`. Only declared names are in this table.
 * Readers copy it into tables of limited size, to which they add received names.
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
