import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { queryTexts } from "../../src/collector/status.ts";
import { specOf } from "../support/spec-of.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();

test("a query's block is its lines of the file, without their indentation", () => {
  const file = join(folder, "shop.yaml");
  const text = `version: 1
agent: shop
queries:
  - query: Where is my order?
    id: order
    path:
      # the only way to know

      expected_tools: [look_up]

  - { query: Cancel it, cost: { max_llm_calls: 2 } }
`;
  writeFileSync(file, text);
  const { queries } = specOf(text, file);

  expect(queryTexts(queries)).toEqual([
    `query: Where is my order?
id: order
path:
  # the only way to know

  expected_tools: [look_up]`,
    "{ query: Cancel it, cost: { max_llm_calls: 2 } }",
  ]);
});
