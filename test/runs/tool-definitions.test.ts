import { expect, test } from "vitest";
import type { JsonValue } from "../../src/model/json.ts";
import { toolDefinitionsIn } from "../../src/runs/results/exchange-parts.ts";

const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const description = "Reads a file.";
const own = { name: "read_file", description };
const whole = { ...own, parameters: schema };

test.each<readonly [string, JsonValue]>([
  ["Chat Completions", { type: "function", function: whole }],
  ["Responses", { type: "function", ...whole }],
  ["Anthropic", { ...own, input_schema: schema }],
  ["Bedrock", { toolSpec: { ...own, inputSchema: { json: schema } } }],
  ["Gemini", { functionDeclarations: [{ ...own, parametersJsonSchema: schema }] }],
  ["OpenInference, the whole definition", { tool: { json_schema: JSON.stringify(whole) } }],
  ["OpenInference, in a function", { tool: { json_schema: JSON.stringify({ function: whole }) } }],
  ["OpenInference, the schema beside the name", { tool: { ...own, json_schema: JSON.stringify(schema) } }],
  ["OpenInference, both", { tool: { ...own, json_schema: JSON.stringify({ function: whole }) } }],
  ["a name beside its schema", { ...own, json_schema: schema }],
])("a tool as %s writes it", (_, item) => {
  expect(toolDefinitionsIn([item])).toEqual([whole]);
});

test("a schema without a name is no tool, and a provider's own tool is named by its type", () => {
  expect(toolDefinitionsIn([{ tool: { json_schema: JSON.stringify(schema) } }])).toBeNull();
  expect(toolDefinitionsIn([{ type: "web_search_preview" }])).toEqual([
    { name: "web_search_preview", description: null, parameters: undefined },
  ]);
});
