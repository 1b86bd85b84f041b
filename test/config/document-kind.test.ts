import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { documentKind } from "../../src/config/find/document-kind.ts";

test.each([
  ["agent: a\nqueries: []\n", "spec"],
  ["queriess:\n  - query: q\n", "spec"],
  ["receive: { http: off }\n", "config"],
  ["recieve: { http: off }\n", "config"],
  ['{ "admin": "off" }', "config"],
  ["judge: { mode: off }\nspecs: [", "config"],
  ["x: 1\n", "spec"],
  ["", "spec"],
])("%j is a %s", (text, kind) => {
  expect(documentKind(text)).toBe(kind);
});

test.each([
  ["", "config"],
  ["# specs: [specs/*.yaml]\n", "config"],
  ["agent: a\n", "spec"],
])("%j in a file named tracejury.yaml is a %s", (text, kind) => {
  expect(documentKind(text, "project/tracejury.yaml")).toBe(kind);
});

test.each([
  ...readdirSync("specs").map((name) => [`specs/${name}`, "spec"]),
  ["config/default.yaml", "config"],
  ["test/fixtures/bad-specs/alias-bomb.yaml", "spec"],
])("%s is a %s", (file, kind) => {
  expect(documentKind(readFileSync(file, "utf8"))).toBe(kind);
});
