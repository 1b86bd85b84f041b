type SnakeName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeName<Rest>}`
  : Name;

/** The JSON form of a value: keys in snake case, maps as objects. */
export type SnakeCased<Value> =
  Value extends ReadonlyMap<unknown, infer Inner>
    ? Record<string, SnakeCased<Inner>>
    : Value extends readonly (infer Item)[]
      ? SnakeCased<Item>[]
      : Value extends object
        ? { -readonly [Key in keyof Value & string as SnakeName<Key>]: SnakeCased<Value[Key]> }
        : Value;

/**
 * Converts a value into its JSON form, as reports and the API write it: `runIds` becomes `run_ids`. Keys of a map are data and are not
 * converted.
 */
export function snakeCased<Value>(value: Value): SnakeCased<Value> {
  return converted(value) as SnakeCased<Value>;
}

function converted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(converted);
  const entries: readonly (readonly [unknown, unknown])[] =
    value instanceof Map
      ? [...value]
      : Object.entries(value).map(([key, inner]) => [
          key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
          inner,
        ]);
  return Object.fromEntries(entries.map(([key, inner]) => [String(key), converted(inner)]));
}
