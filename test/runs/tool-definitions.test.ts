import { expect, test } from "vitest";
import type { JsonValue } from "../../src/model/json.ts";
import { declaredTools, toolDefinitionsIn } from "../../src/runs/results/exchange-parts.ts";
import { agentSpan } from "../support/genai.ts";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

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

const grouped = { function_tools: [whole], output_tools: [{ name: "final_result" }], native_tools: [] };

test.each<readonly [string, JsonValue, readonly JsonValue[] | null]>([
  ["a list", [whole], [whole]],
  ["a list as text", JSON.stringify([whole]), [whole]],
  ["request parameters, by kind, without the tools for the answer", grouped, [whole]],
  ["request parameters as text", JSON.stringify(grouped), [whole]],
  ["request parameters without a tool", { function_tools: [] }, []],
  ["other parameters", { temperature: 1 }, null],
])("declared tools are in %s", (_, value, tools) => {
  expect(declaredTools(value)).toEqual(tools);
});

test.each(["tool.parameters", "gen_ai.tool.parameters"])(
  "%s is no argument of a failed tool",
  async (key) => {
    const [run] = await replayed(
      document([
        agentSpan("r", undefined, "files", 0, 30),
        span(
          "t",
          "r",
          "Tool",
          1,
          9,
          { "gen_ai.span.kind": "TOOL", "gen_ai.tool.name": "count", [key]: JSON.stringify(schema) },
          { status: { code: 2, message: "no such file" } },
        ),
      ]),
    );
    expect(run?.tools).toMatchObject([{ name: "count", arguments: undefined, error: "no such file" }]);
  },
);
