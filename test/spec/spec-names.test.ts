import { expect, test } from "vitest";
import { specNames } from "../../src/spec/spec-names.ts";

test.each<[readonly string[], readonly string[]]>([
  [["specs/rag-agent.yaml"], ["rag-agent"]],
  [
    ["a/spec.yaml", "b/spec.yaml", "other.yaml"],
    ["a/spec", "b/spec", "other"],
  ],
  [
    ["x/a/spec.yaml", "y/a/spec.yaml"],
    ["x/a/spec", "y/a/spec"],
  ],
  [
    ["spec.yaml", "/far/away/spec.yaml"],
    ["spec", "away/spec"],
  ],
  [
    ["a/spec.yaml", "a/spec.yml"],
    ["a/spec.yaml", "a/spec.yml"],
  ],
])("%j → %j", (files, names) => {
  expect([...specNames(files).values()]).toEqual(names);
});
