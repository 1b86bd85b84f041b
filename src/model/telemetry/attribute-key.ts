/** An attribute name that code looks for, as a small integer: comparing it costs nothing. Made by `key`. */
export type AttributeKey = number & { readonly brand: "AttributeKey" };

const names: string[] = [];
/** The declared names by their ids. */
export const declaredNames: readonly string[] = names;
const ids = new Map<string, AttributeKey>();

/**
 * Declares an attribute name once, at module level: `const MODEL = key("gen_ai.request.model")`. The table only grows by what code
 * declares, never by what senders send; readers seed their own bounded tables from it.
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

/** The id of a declared name; `undefined` when no code has declared it. */
export function declaredKey(name: string): AttributeKey | undefined {
  return ids.get(name);
}
