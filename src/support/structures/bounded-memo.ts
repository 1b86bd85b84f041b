/*
 * The only state that the core keeps between calls: a bounded cache of pure functions, so the result does not
 * depend on who called first. The cache holds names from telemetry and short texts of specs, but no other
 * content.
 */

/** Maximum number of cached names; untrusted input chooses them, so the cache is cleared above it. */
const MOST = 2048;
const LONGEST = 128;

/**
 * Caches the result of `tell` for texts that repeat, up to `most` of them. Texts above `longest` characters are
 * not cached. `tell` must be a pure function.
 */
export function remembered<T>(
  tell: (text: string) => T,
  most = MOST,
  longest = LONGEST,
): (text: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    if (name.length > longest) return tell(name);
    const found = known.get(name);
    if (found !== undefined) return found;
    if (known.size >= most) known.clear();
    const fresh = tell(name);
    known.set(name, fresh);
    return fresh;
  };
}

/**
 * Memoises `derive` for each object, for the object's lifetime. `derive` must not depend on anything else.
 */
export function derivedOnce<Source extends object, T>(derive: (source: Source) => T): (source: Source) => T {
  const known = new WeakMap<Source, { readonly value: T }>();
  return (source) => {
    let found = known.get(source);
    if (found === undefined) known.set(source, (found = { value: derive(source) }));
    return found.value;
  };
}
