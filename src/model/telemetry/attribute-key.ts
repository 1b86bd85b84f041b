/** A declared attribute name as a small integer, which is cheap to compare. Created by the function `key`. */
export type AttributeKey = number & { readonly brand: "AttributeKey" };

const names: string[] = [];
/** Declared names by their ids. */
export const declaredNames: readonly string[] = names;
const ids = new Map<string, AttributeKey>();

/**
 * Declares an attribute name once, at module level: `const MODEL = key("gen_ai.request.model")`. Only
 * declarations in code extend the table, not received data. Readers copy the table into their own bounded
 * tables.
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

/** Returns the id of a declared name; `undefined` if the name is not declared. */
export function declaredKey(name: string): AttributeKey | undefined {
  return ids.get(name);
}
