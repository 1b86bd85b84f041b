/** Strangers choose the names: with more than this the memory begins anew. */
const MOST = 2048;
const LONGEST = 128;

/** What `tell` says of a name, worked out once for each of the names that come again and again. `tell` must depend on nothing else. */
export function remembered<T>(tell: (name: string) => T, most = MOST): (name: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    if (name.length > LONGEST) return tell(name);
    const found = known.get(name);
    if (found !== undefined) return found;
    if (known.size >= most) known.clear();
    const fresh = tell(name);
    known.set(name, fresh);
    return fresh;
  };
}
