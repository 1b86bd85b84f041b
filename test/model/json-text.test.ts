import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  documentBounds,
  isArray,
  isObject,
  type JsonBounds,
  type JsonValue,
  parseJson,
  parseJsonText,
} from "../../src/model/json.ts";

const nested = (levels: number, inner = ""): string => `${"[".repeat(levels)}${inner}${"]".repeat(levels)}`;
const nestedObjects = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

describe("JSON in a text", () => {
  test.each<[string, string, JsonValue]>([
    ["a list", "[1,2]", [1, 2]],
    ["null is a value", "null", null],
    ["a text", '"[[["', "[[["],
    ["brackets in a text are no levels", `["${"[".repeat(300)}"]`, ["[".repeat(300)]],
    ["an escaped quote ends no text", `["\\"${"{".repeat(300)}"]`, [`"${"{".repeat(300)}`]],
    ["a backslash before the closing quote", `["${"x".repeat(300)}\\\\",[]]`, [`${"x".repeat(300)}\\`, []]],
  ])("%s", (_, text, value) => {
    expect(parseJsonText(text)).toEqual({ value });
    expect(parseJson(text)).toEqual(value);
  });

  test.each<[string, string, "syntax" | "depth" | "nodes"]>([
    ["no JSON", "hello", "syntax"],
    ["cut off", '{"a":[1', "syntax"],
    ["101 lists", nested(101), "depth"],
    ["101 lists after white space", `\n\t ${nested(101)}`, "depth"],
    ["101 objects", nestedObjects(101), "depth"],
    ["deep behind what is not", `[${"[1,2],".repeat(200)}${nested(100)}]`, "depth"],
    ["five thousand levels", nested(5_000, "1"), "depth"],
    ["a million levels, cut off", "[".repeat(1_000_000), "syntax"],
    ["a million closing brackets", "]".repeat(1_000_000), "syntax"],
    ["100,001 values, the list included", `[${"1,".repeat(99_999)}1]`, "nodes"],
    ["100,001 empty lists", `[${"[],".repeat(99_999)}[]]`, "nodes"],
    ["too many members", `{${Array.from({ length: 100_000 }, (__, at) => `"${at}":1`).join()}}`, "nodes"],
  ])("%s", (_, text, problem) => {
    expect(parseJsonText(text)).toEqual({ problem });
    expect(parseJson(text)).toBeUndefined();
  });

  test.each([
    ["100 lists", nested(100)],
    ["100 objects", nestedObjects(100)],
    ["100,000 values", `[${"1,".repeat(99_998)}1]`],
    ["100,000 values with white space between", `[ ${"[ ] ,\n".repeat(99_998)}[\t] ]`],
    ["a long list of short texts", `[${'",",'.repeat(99_998)}","]`],
  ])("%s is read", (_, text) => {
    expect(parseJsonText(text)).toHaveProperty("value");
  });

  test("a document of a file or a store may be larger: its size bounds what it holds", () => {
    const values = `[${"1,".repeat(200_000)}1]`;
    expect(parseJsonText(values, documentBounds)).toHaveProperty("value");
    expect(parseJsonText(nested(120), documentBounds)).toHaveProperty("value");
    expect(parseJsonText(nested(100_000), documentBounds)).toEqual({ problem: "depth" });
  });

  test("gives a value exactly if JSON.parse does and the text is within the bounds", () => {
    const bounds = fc.record({
      levels: fc.integer({ min: 1, max: 5 }),
      nodes: fc.integer({ min: 1, max: 20 }),
    });
    const text = fc
      .tuple(fc.jsonValue({ maxDepth: 7, noUnicodeString: false }), fc.constantFrom(0, 1, "\t"), bounds)
      .map(([value, space, limits]) => ({ text: JSON.stringify(value, null, space), value, limits }));
    fc.assert(
      fc.property(text, ({ text, value, limits }) => {
        const read = parseJsonText(text, limits);
        expect("value" in read).toBe(isWithin(value as JsonValue, limits));
      }),
      { numRuns: 500 },
    );
  });

  test("any text gives a value that JSON.parse gives, or a problem", () => {
    const pieces = fc.array(fc.constantFrom("[", "]", "{", "}", ",", ":", '"', "\\", "1", "true", " ", "a"), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(pieces, (parts) => {
        const read = parseJsonText(parts.join(""), { levels: 3, nodes: 10 });
        expect(read).toEqual(
          read.problem === undefined ? { value: JSON.parse(parts.join("")) } : { problem: read.problem },
        );
      }),
      { numRuns: 1_500 },
    );
  });
});

function isWithin(value: JsonValue, { levels, nodes }: JsonBounds): boolean {
  return levelsOf(value) <= levels && nodesOf(value) <= nodes;
}

function levelsOf(value: JsonValue): number {
  return isContainer(value) ? 1 + Math.max(0, ...childrenOf(value).map(levelsOf)) : 0;
}

function nodesOf(value: JsonValue): number {
  return isContainer(value) ? childrenOf(value).reduce((sum: number, one) => sum + nodesOf(one), 1) : 1;
}

function isContainer(value: JsonValue): boolean {
  return isArray(value) || isObject(value);
}

function childrenOf(value: JsonValue): readonly JsonValue[] {
  return Object.values(value as object) as JsonValue[];
}
