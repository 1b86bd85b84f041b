import type { z } from "zod";

/** The parts of zod's schema definitions that this module reads. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly keyType?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly left?: z.ZodType;
  readonly right?: z.ZodType;
  readonly entries?: Readonly<Record<string, unknown>>;
}

function definition(schema: z.ZodType): Definition {
  return schema.def;
}

/** Returns the alternatives of a schema: the members of unions, without wrappers for optional values and defaults. */
function alternatives(schema: z.ZodType): z.ZodType[] {
  const def = definition(schema);
  if (def.innerType) return alternatives(def.innerType);
  if (def.options) return def.options.flatMap(alternatives);
  return [schema];
}

function step(schema: z.ZodType, key: PropertyKey): z.ZodType[] {
  const next = child(schema, key);
  return next ? alternatives(next) : [];
}

function child(schema: z.ZodType, key: PropertyKey): z.ZodType | undefined {
  const def = definition(schema);
  return typeof key === "number" ? def.element : (def.shape?.[String(key)] ?? def.valueType);
}

/** Returns the keys that the schema allows at a path. */
export function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let current = alternatives(schema);
  for (const key of path) current = current.flatMap((each) => step(each, key));
  return current.flatMap((each) => {
    const { shape, keyType } = definition(each);
    return Object.keys(shape ?? (keyType && definition(keyType).entries) ?? {});
  });
}

/** Returns the description of the value at a path; null if the schema has none, or not one for all of its alternatives. */
export function descriptionAt(schema: z.ZodType, path: readonly PropertyKey[]): string | null {
  const key = path.at(-1);
  if (key === undefined) return null;
  let owners = alternatives(schema);
  for (const each of path.slice(0, -1)) owners = owners.flatMap((owner) => step(owner, each));
  const found = new Set(
    owners.flatMap((owner) => {
      const value = child(owner, key);
      return value ? [descriptionOf(value)] : [];
    }),
  );
  const [only = null] = found;
  return found.size === 1 ? only : null;
}

/** A wrapper for an optional value or a default can have the description, or the schema within. */
function descriptionOf(schema: z.ZodType): string | null {
  const { innerType } = definition(schema);
  return schema.description ?? (innerType ? descriptionOf(innerType) : null);
}

/** Returns all keys of objects within the schema's root, each with the path of the first object that allows it. Paths omit list indices. */
export function innerKeys(schema: z.ZodType): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const visit = (each: z.ZodType, path: readonly string[], depth: number): void => {
    const def = definition(each);
    if (depth > 8) return;
    if (def.element) for (const next of alternatives(def.element)) visit(next, path, depth + 1);
    for (const [name, child] of Object.entries(def.shape ?? {})) {
      if (path.length > 0 && !found.has(name)) found.set(name, path);
      for (const next of alternatives(child)) visit(next, [...path, name], depth + 1);
    }
  };
  for (const each of alternatives(schema)) visit(each, [], 0);
  return found;
}
