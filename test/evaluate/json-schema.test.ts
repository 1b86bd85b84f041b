import { describe, expect, test } from "vitest";
import { compileSchema } from "../../src/evaluate/rules/json-schema.ts";
import type { JsonValue } from "../../src/model/json.ts";
import { evaluationOf } from "../support/evaluation-of.ts";
import { queryOf } from "../support/query-of.ts";
import { runOf } from "../support/run-of.ts";

/** What is wrong with a value; throws when the schema cannot be used. */
function problems(schema: Record<string, unknown>, value: JsonValue): readonly string[] {
  const compiled = compileSchema(schema);
  if (!compiled.ok) throw new Error(compiled.reason);
  return compiled.validate(value).map(({ path, message }) => `${path} ${message}`.trim());
}

describe("an answer against a schema", () => {
  const text = { type: "string" };
  const closed = { additionalProperties: false };
  test.each<[string, Record<string, unknown>, JsonValue, ...string[]]>([
    ["a type", { type: "integer" }, "1", "must be integer"],
    ["a place inside", { properties: { a: { items: text } } }, { a: ["x", 1] }, "/a/1 must be string"],
    ["a field too many", closed, { extra: 1 }, 'must NOT have additional properties ("extra")'],
    [
      "a choice",
      { enum: ["red", "blue"] },
      "green",
      'must be equal to one of the allowed values: "red", "blue"',
    ],
    ["a format", { format: "date" }, "tomorrow", 'must match format "date"'],
    ["nothing wrong", { type: "object", required: ["a"] }, { a: null }],
  ])("names %s", (_, schema, value, ...expected) => {
    expect(problems(schema, value)).toEqual(expected);
  });

  describe.each(["constructor", "toString", "hasOwnProperty", "valueOf", "__proto__"])(
    "%s is a property only if the answer has it",
    (name) => {
      test.each<[string, Record<string, unknown>, boolean]>([
        ["required", { required: [name] }, false],
        ["one of several required", { required: ["a", name] }, false],
        ["of a type", { properties: { [name]: { type: "string" } } }, true],
        ["forbidden", { not: { required: [name] } }, true],
        ["with others", { dependentRequired: { [name]: ["b"] } }, true],
        ["required by another", { dependentRequired: { a: [name] } }, false],
        ["of a schema", { dependentSchemas: { [name]: false } }, true],
      ])("%s", (_, schema, holds) => {
        expect(problems(schema, { a: 1 }).length === 0).toBe(holds);
      });

      test("in an answer that has it", () => {
        const value = JSON.parse(`{ "${name}": "x" }`) as JsonValue;
        expect(problems({ required: [name] }, value)).toEqual([]);
        expect(problems({ additionalProperties: false }, value)).toHaveLength(1);
      });
    },
  );

  test.each(["draft-04", "draft-06", "draft-07"])("of %s is understood", (draft) => {
    const $schema = `http://json-schema.org/${draft}/schema#`;
    const exclusive = draft === "draft-04" ? { minimum: 0, exclusiveMinimum: true } : { exclusiveMinimum: 0 };
    const schema = {
      $schema,
      properties: { n: { type: "integer", ...exclusive }, id: { type: "string", enum: ["id"] } },
    };
    expect(problems(schema, { n: 1, id: "id" })).toEqual([]);
    expect(problems(schema, { n: 0 })).toEqual(["/n must be > 0"]);
  });

  test("tells two patterns of one schema apart", () => {
    const schema = {
      properties: { a: { pattern: "^a$" }, b: { pattern: "^b$" } },
      patternProperties: { "^x_": { type: "number" } },
    };
    expect(problems(schema, { a: "a", b: "b", x_1: 1 })).toEqual([]);
    expect(problems(schema, { a: "a", b: "a" })).toHaveLength(1);
    expect(problems(schema, { x_1: "1" })).toEqual(["/x_1 must be number"]);
  });

  test.each([
    [
      "draft 7",
      "http://json-schema.org/draft-07/schema#",
      { items: [{ type: "number" }], additionalItems: false },
    ],
    [
      "2019-09",
      "https://json-schema.org/draft/2019-09/schema",
      { items: [{ type: "number" }], additionalItems: false },
    ],
    [
      "2020-12",
      "https://json-schema.org/draft/2020-12/schema",
      { prefixItems: [{ type: "number" }], items: false },
    ],
    ["2020-12 when none is named", undefined, { prefixItems: [{ type: "number" }], items: false }],
  ])("speaks %s", (_, $schema, rest) => {
    const schema = { ...($schema === undefined ? {} : { $schema }), type: "array", ...rest };
    expect(problems(schema, [1])).toEqual([]);
    expect(problems(schema, ["1"])).toHaveLength(1);
    expect(problems(schema, [1, 2])).toHaveLength(1);
  });

  test("two schemas may have the same $id", () => {
    expect(problems({ $id: "https://a.test/s", type: "string" }, "x")).toEqual([]);
    expect(problems({ $id: "https://a.test/s", type: "number" }, 1)).toEqual([]);
  });
});

test.each([
  ["an unknown type", { type: "strnig" }, "type"],
  ["a pattern without linear time", { pattern: "(?=a)b" }, "look-ahead"],
  ["a reference to elsewhere", { $ref: "https://example.test/schema.json" }, "can't resolve reference"],
  ["an unknown draft", { $schema: "https://example.test/draft" }, "no schema with key or ref"],
])("a schema that cannot be used is refused with the reason: %s", (_, schema, says) => {
  const compiled = compileSchema(schema);
  expect(compiled).toMatchObject({ ok: false, reason: expect.stringContaining(says) as string });
});

test.each([
  [{ const: 9007199254740992 }, "9007199254740993", "incomplete"],
  [{ multipleOf: 2 }, "9007199254740993", "incomplete"],
  [{ properties: { id: { enum: [9007199254740992] } } }, '{"id":9007199254740993}', "incomplete"],
  [{ const: 9007199254740992 }, "9007199254740992", "pass"],
  [{ properties: { id: { type: "integer" } } }, '{"id":9007199254740993}', "pass"],
  [{ properties: { id: { const: "9007199254740993" } } }, '{"id":"9007199254740993"}', "pass"],
  [{ maximum: 9 }, "10", "fail"],
])("an integer that a JavaScript number cannot hold exactly: %j: %s is %s", (schema, answer, outcome) => {
  const query = queryOf({ correctness: { json_schema: schema } });
  const { layers } = evaluationOf(runOf({ answer }), query);
  const result = layers.correctness.checks.find(({ check }) => check === "json_schema");
  expect(result?.outcome).toBe(outcome);
});

test.each([
  [{ typ: "object" }, "typ", "type"],
  [{ type: "object", requierd: ["a"] }, "requierd", "required"],
  [{ type: "object", properties: { a: { minimun: 3 } } }, "minimun", "minimum"],
  [
    { anyOf: [{ type: "string" }, { additional_properties: false }] },
    "additional_properties",
    "additionalProperties",
  ],
  [{ $defs: { a: { anyof: [] } } }, "anyof", "anyOf"],
])("%j: the misspelt keyword would accept every value", (schema, written, meant) => {
  const compiled = compileSchema(schema);
  expect(compiled.ok ? "" : compiled.reason).toBe(`unknown keyword "${written}"; did you mean "${meant}"?`);
});

test.each([
  ["emial", "email"],
  ["e-mail", "email"],
  ["datetime", "date-time"],
  ["date_time", "date-time"],
  ["Date", "date"],
  ["UUID", "uuid"],
  ["hostnam", "hostname"],
])("format %s would accept every value", (format, meant) => {
  const compiled = compileSchema({ properties: { a: { type: "string", format } } });
  expect(compiled.ok ? "" : compiled.reason).toBe(`unknown format "${format}"; did you mean "${meant}"?`);
});

test.each([
  "email",
  "date-time",
  "guid",
  "ulid",
  "urn",
  "iri",
  "uint32",
  "int16",
  "phone",
  "data",
  "color",
  "char",
])("format %s is valid", (format) => {
  expect(
    compileSchema({ properties: { format: { type: "string", format } }, enum: [{ format: "emial" }] }).ok,
  ).toBe(true);
});

test.each([
  { type: "object", properties: { typ: { type: "string" }, requierd: {} } },
  { enum: [{ typ: 1 }], default: { requird: 1 }, "x-order": 3, note: "kept" },
])("%j: names, values and annotations are no misspelt keywords", (schema) => {
  expect(compileSchema(schema).ok).toBe(true);
});

test("hundreds of schemas share a validator, and each keeps its own meaning", () => {
  const compiled = Array.from({ length: 450 }, (_, at) => ({
    at,
    schema: compileSchema({
      ...(at % 3 === 0 ? { $schema: "http://json-schema.org/draft-07/schema#" } : {}),
      type: "object",
      properties: { n: { $ref: "#/$defs/own" } },
      $defs: { own: { const: at } },
    }),
  }));
  for (const { at, schema } of compiled) {
    if (!schema.ok) throw new Error(schema.reason);
    expect([schema.validate({ n: at }), schema.allProblems({ n: at })]).toEqual([[], []]);
    expect([schema.validate({ n: at + 1 }).length, schema.allProblems({ n: at + 1 }).length]).toEqual([1, 1]);
  }
  const same = [1, 2].map((n) => compileSchema({ $id: "https://shop.test/same", const: n }));
  expect(same.map((schema) => schema.ok && schema.validate(1).length)).toEqual([0, 1]);
});
