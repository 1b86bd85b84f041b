import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { nodeAt, toValue, type DocumentNode } from "../../src/spec/document/node.ts";
import { readDocument, type ReadDocument, type ReadOptions } from "../../src/spec/document/read-document.ts";
import type { SourceReader } from "../../src/spec/document/source-reader.ts";

type Files = Readonly<Record<string, string>>;

function readerOf(files: Files): SourceReader {
  return {
    read(path) {
      const text = files[path];
      return text === undefined
        ? { ok: false, reason: "there is no such file" }
        : { ok: true, text, realPath: path };
    },
  };
}

function read(text: string, files: Files = {}, options: ReadOptions = {}): ReadDocument {
  return readDocument({ file: "specs/main.yaml", text }, { reader: readerOf(files), ...options });
}

/** The document's value as plain JSON; throws when there are problems. */
function valueOf(text: string, files: Files = {}, options: ReadOptions = {}): unknown {
  const { root, problems } = read(text, files, options);
  expect(problems).toEqual([]);
  return root && JSON.parse(JSON.stringify(toValue(root)));
}

const codes = (text: string, files: Files = {}) => read(text, files).problems.map((problem) => problem.code);

/** `file:line:column` of a value. */
function placeOf(root: DocumentNode | undefined, ...path: string[]): string {
  const at = root && nodeAt(root, path)?.at;
  return at ? `${at.file}:${at.line}:${at.column}` : "nowhere";
}

test.each([
  ["UTF-16, as some Windows shells write it", Buffer.from("\ufeffagent: shop\n", "utf16le"), "1:1"],
  ["Latin-1", Buffer.from("agent: shop\nquery: Größe?\n", "latin1"), "2:10"],
])("%s: the first character that is not UTF-8 is reported, and nothing is read", (_, bytes, place) => {
  const { root, problems } = read(bytes.toString("utf8"));
  expect(root).toBeUndefined();
  expect(problems.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual([
    `yaml/encoding ${place}`,
  ]);
});

describe("sharing blocks", () => {
  const files: Files = {
    "specs/shared/tight.yaml": "max_loops: 0\nmax_tool_calls: 1\n",
    "specs/shared/all.yaml": "blocks: { tight: { max_loops: 0 }, a/b: [1, 2] }\n",
    "specs/shared/tools.yaml": "[search, fetch]\n",
    "specs/shared/rule.md": "Be *polite*.\n",
    "specs/shared/outer.yaml": "inner: !include tight.yaml\n",
  };

  const tight = { max_loops: 0, max_tool_calls: 1 };
  test.each<[string, string, unknown]>([
    ["a file", "path: !include shared/tight.yaml", { path: tight }],
    ["a file by $ref", "path: { $ref: shared/tight.yaml }", { path: tight }],
    ["a part of a file", "path: { $ref: 'shared/all.yaml#/blocks/tight' }", { path: { max_loops: 0 } }],
    ["a part whose name has a slash", "x: { $ref: 'shared/all.yaml#/blocks/a~1b/1' }", { x: 2 }],
    [
      "keys beside $ref win",
      "path: { $ref: shared/tight.yaml, max_loops: 2 }",
      { path: { ...tight, max_loops: 2 } },
    ],
    ["a list in place of a list", "tools: !include shared/tools.yaml", { tools: ["search", "fetch"] }],
    [
      "a list within a list",
      "tools: [a, !include shared/tools.yaml, b]",
      { tools: ["a", "search", "fetch", "b"] },
    ],
    ["a text", "rule: !include shared/rule.md", { rule: "Be *polite*.\n" }],
    [
      "a file that includes another, each relative to itself",
      "x: !include shared/outer.yaml",
      { x: { inner: tight } },
    ],
    [
      "a part of the same file",
      "d: { t: { n: 1 } }\nx: { $ref: '#/d/t' }",
      { d: { t: { n: 1 } }, x: { n: 1 } },
    ],
    ["an anchor", "a: &a { n: 1 }\nx: *a", { a: { n: 1 }, x: { n: 1 } }],
    [
      "a merge key, own keys winning",
      "a: &a { n: 1, m: 1 }\nx: { <<: *a, n: 2 }",
      { a: { n: 1, m: 1 }, x: { n: 2, m: 1 } },
    ],
    [
      "several merge keys, the first winning",
      "a: &a { n: 1 }\nb: &b { n: 2, m: 2 }\nx: { <<: [*a, *b] }",
      { a: { n: 1 }, b: { n: 2, m: 2 }, x: { n: 1, m: 2 } },
    ],
    [
      "a merged file",
      "x: { <<: !include shared/tight.yaml, max_loops: 5 }",
      { x: { ...tight, max_loops: 5 } },
    ],
    ["an anchor written anew", "a: &x 1\nb: *x\nc: &x 2\nd: *x", { a: 1, b: 1, c: 2, d: 2 }],
  ])("%s", (_, text, expected) => {
    expect(valueOf(text, files)).toEqual(expected);
  });

  test("what is shared keeps the place it was written at", () => {
    const { root } = read("x: { $ref: shared/tight.yaml, max_loops: 2 }", files);
    expect(placeOf(root, "x", "max_tool_calls")).toBe("specs/shared/tight.yaml:2:17");
    expect(placeOf(root, "x", "max_loops")).toBe("specs/main.yaml:1:42");
  });

  test("under opaque keys $ref is a key like any other", () => {
    const options = { opaqueKeys: new Set(["json_schema"]) };
    const text = "json_schema: { properties: { a: { $ref: '#/$defs/a' } } }";
    expect(valueOf(text, {}, options)).toEqual({ json_schema: { properties: { a: { $ref: "#/$defs/a" } } } });
  });
});

describe("what cannot be shared", () => {
  const secret: Files = { "secret.yaml": "a: 1" };
  const itself: Files = { "specs/main.yaml": "x: !include main.yaml" };
  const mutual: Files = { "specs/a.yaml": "b: !include b.yaml", "specs/b.yaml": "a: !include a.yaml" };
  test.each<[string, string, string, Files?]>([
    ["a folder above", "x: !include ../secret.yaml", "include/outside", secret],
    [
      "a folder above, in a roundabout way",
      "x: !include shared/../../secret.yaml",
      "include/outside",
      secret,
    ],
    ["an absolute path", "x: { $ref: /etc/passwd }", "include/outside", { "/etc/passwd": "a" }],
    ["a file that is not there", "x: !include nowhere.yaml", "include/not-found"],
    ["the document itself", "x: !include main.yaml", "include/loop", itself],
    ["two files of one another", "x: !include a.yaml", "include/loop", mutual],
    ["a part of itself", "a: { b: { $ref: '#/a' } }", "include/loop"],
    ["a part that is not there", "x: { $ref: '#/nothing' }", "include/no-such-part"],
    ["an alias of what it stands in", "a: &a [*a]", "yaml/circular-alias"],
    ["an include without a path", "x: !include", "include/bad-path"],
    ["a $ref that is no path", "x: { $ref: 3 }", "include/bad-path"],
  ])("%s", (_, text, code, files) => {
    expect(codes(text, files)).toContain(code);
  });

  test.each([3000, 20_000])("%i levels of maps are too deep, in these words", (levels) => {
    const text = `x: ${"{a: ".repeat(levels)}1${"}".repeat(levels)}`;
    const { problems } = readDocument({ file: "main.yaml", text });
    expect(problems.map(({ message }) => message).join()).toMatch(/too deep/);
  });

  test("nothing, where no files can be read", () => {
    const { problems } = readDocument({ file: "main.yaml", text: "x: !include a.yaml" });
    expect(problems).toMatchObject([{ code: "include/not-found", line: 1, column: 13 }]);
  });

  test("a real path outside the folder is refused, whatever its name is", () => {
    const reader: SourceReader = { read: () => ({ ok: true, text: "a: 1", realPath: "/etc/passwd" }) };
    expect(read("x: !include link.yaml", {}, { reader }).problems).toMatchObject([
      { code: "include/outside" },
    ]);
  });

  test("unless leaving is allowed", () => {
    expect(valueOf("x: !include ../a.yaml", { "a.yaml": "b: 1" }, { allowOutside: true })).toEqual({
      x: { b: 1 },
    });
  });
});

// What they come to when they are read as they stand has no end.
describe("hostile documents end quickly with an error", () => {
  const bomb = (lines: number) =>
    Array.from({ length: lines }, (_, n) =>
      n === 0 ? "l0: &l0 [x]" : `l${n}: &l${n} [${`*l${n - 1},`.repeat(10)}]`,
    ).join("\n");

  test.each<[string, string]>([
    ["aliases of aliases", bomb(30)],
    ["deep lists", "[".repeat(100_000)],
    ["deep lists, closed", `${"[".repeat(5000)}${"]".repeat(5000)}`],
    ["deep blocks", Array.from({ length: 3000 }, (_, n) => `${" ".repeat(n)}a:`).join("\n")],
    ["more text than any spec has", " ".repeat(9 * 1024 * 1024)],
  ])("%s", (_, text) => {
    expect(codes(text).length).toBeGreaterThan(0);
  });

  test("includes of includes", () => {
    const files = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [
        `specs/f${n}.yaml`,
        `[${`!include f${n + 1}.yaml,`.repeat(10)}]`,
      ]),
    );
    expect(codes("x: !include f0.yaml", { ...files, "specs/f20.yaml": "[1, 2, 3]" })).toContain(
      "yaml/too-large",
    );
  });

  test("keys that name prototypes are keys", () => {
    const { root } = read('{ "__proto__": { polluted: 1 }, constructor: 2 }');
    expect(root && [...(root.kind === "map" ? root.entries.keys() : [])]).toEqual([
      "__proto__",
      "constructor",
    ]);
    expect(root && Object.getPrototypeOf(toValue(root))).toBeNull();
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("any text gives a document or a problem, and never an exception", () => {
    const signs = "a[]{}'\"#|?,\n\t".split("");
    const words = [": ", "  ", "- ", "*a", "&a ", "!include ", "<<: ", "---", "$ref"];
    const piece = fc.constantFrom(...signs, ...words);
    const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, (each) => {
        const { root, problems } = read(each);
        expect(root !== undefined || problems.length > 0).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});

test("a document without aliases and includes means what YAML says it means", () => {
  const value = fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.jsonValue({ maxDepth: 3 }), {
    minKeys: 1,
  });
  fc.assert(
    fc.property(value, (each) => {
      const text = stringify(each, { aliasDuplicateObjects: false });
      const { root, problems } = read(text, {}, { opaqueKeys: new Set(Object.keys(each)) });
      fc.pre(!problems.some((problem) => problem.code !== ""));
      expect(root && JSON.stringify(toValue(root))).toBe(JSON.stringify(each));
    }),
    { numRuns: 60 },
  );
});
