import fc from "fast-check";

/** A text of any Unicode characters. `fc.string({ unit: "binary" })` reads a table of all of them for seconds, in each process. */
export function anyText(
  constraints: { readonly minLength?: number; readonly maxLength?: number } = {},
): fc.Arbitrary<string> {
  const character = fc.oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }));
  return fc.array(character, constraints).map((codes) => String.fromCodePoint(...codes));
}
