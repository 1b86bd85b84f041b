/** A declared attribute name as a small integer, which is cheap to compare. `key` creates it. */
export type AttributeKey = number & { readonly brand: "AttributeKey" };

const names: string[] = [];
/** Declared names by their ids. */
export const declaredNames: readonly string[] = names;
const ids = new Map<string, AttributeKey>();

/**
 * Declares an attribute name once, at module level: `const MODEL = key("gen_ai.request.model")`. Only
 * declarations in code extend the table, never received data. Readers initialise their own bounded tables
 * from it.
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

/** Returns the id of a declared name; `undefined` if it is not declared. */
export function declaredKey(name: string): AttributeKey | undefined {
  return ids.get(name);
}
