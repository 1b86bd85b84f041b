import fc from "fast-check";
import { expect, test } from "vitest";
import { spanAssertionSchema } from "../../src/evaluate/query/blocks.ts";
import { jsonObject, jsonValue } from "../../src/support/structures/json-schema.ts";

test("any JSON value is read as itself, with keys named __proto__ at every depth", () => {
  const key = fc.oneof(fc.constantFrom("__proto__", "constructor", "toString"), fc.string());
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value")),
      fc.dictionary(key, tie("value")),
    ),
  }));
  fc.assert(
    fc.property(value, (any) => {
      const written = JSON.stringify(any);
      expect(JSON.stringify(jsonValue.parse(JSON.parse(written)))).toBe(written);
      const inObject: unknown = JSON.parse(`{"__proto__":${written}}`);
      expect(JSON.stringify(jsonObject.parse(inObject))).toBe(JSON.stringify(inObject));
    }),
  );
});

test("an assertion of the spec keeps the keys of the value it compares with", () => {
  const written = '{"field":"result","equals":{"__proto__":{"a":1}},"includes":{"__proto__":2}}';
  expect(JSON.stringify(spanAssertionSchema.parse(JSON.parse(written)))).toBe(written);
});
