/*
 * Caches of pure functions are the only state that the core keeps between calls. These caches are bounded and
 * do not change results. The caches contain only names from telemetry and short texts of specs.
 */

/**
 * Default maximum number of cached texts. Untrusted input chooses the texts, so the cache is cleared above
 * the maximum.
 */
const MOST = 2048;
const LONGEST = 128;

/**
 * Caches the results of `tell` for at most `most` texts. Texts longer than `longest` characters are not
 * cached. `tell` must be a pure function.
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
 * Caches the result of `derive` for each object, as long as the object exists. `derive` must depend only on
 * the object.
 */
export function derivedOnce<Source extends object, T>(derive: (source: Source) => T): (source: Source) => T {
  const known = new WeakMap<Source, { readonly value: T }>();
  return (source) => {
    let found = known.get(source);
    if (found === undefined) known.set(source, (found = { value: derive(source) }));
    return found.value;
  };
}
