/*
 * Caches of pure functions are the only state that the core keeps between calls. The caches do not change results. A cache of texts is
 * limited in the number and the length of the texts. An entry for an object is removed together with the object.
 */

/**
 * Default maximum number of cached texts. A full cache is cleared. The number must be limited, because the texts come from untrusted input.
 */
const MOST = 2048;
const LONGEST = 128;

/**
 * Caches the results of `derive`, which must be a pure function. At most `most` texts are cached, and no text
 * longer than `longest` characters.
 */
export function remembered<T>(
  derive: (text: string) => T,
  most = MOST,
  longest = LONGEST,
): (text: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    if (name.length > longest) return derive(name);
    const found = known.get(name);
    if (found !== undefined) return found;
    if (known.size >= most) known.clear();
    const fresh = derive(name);
    known.set(name, fresh);
    return fresh;
  };
}

/** Caches the result of `derive` for each object, for as long as the object exists. The result must depend on nothing but the object. */
export function derivedOnce<Source extends object, T>(derive: (source: Source) => T): (source: Source) => T {
  const known = new WeakMap<Source, { readonly value: T }>();
  return (source) => {
    let found = known.get(source);
    if (found === undefined) known.set(source, (found = { value: derive(source) }));
    return found.value;
  };
}
