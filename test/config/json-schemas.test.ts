import { readFileSync, readdirSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { configJsonSchema } from "../../src/config/reference/json-schema.ts";
import { checks } from "../../src/evaluate/checks/registry.ts";
import { verdictJsonSchema, verdictMessageJsonSchema } from "../../src/report/json/verdict-schema.ts";
import { specJsonSchema } from "../../src/spec/reference/json-schema.ts";

const made: Readonly<Record<string, object>> = {
  "config/spec.schema.json": specJsonSchema(checks),
  "config/config.schema.json": configJsonSchema(),
  "config/verdict.schema.json": verdictJsonSchema(),
  "config/verdict-message.schema.json": verdictMessageJsonSchema(),
};

describe("the JSON Schemas in config/", () => {
  test.each(Object.keys(made))("%s is what the code says (npm run generate)", (file) => {
    expect(readFileSync(file, "utf8")).toBe(`${JSON.stringify(made[file], null, 2)}\n`);
  });

  const ajv = new Ajv({ strict: false, validateFormats: false });

  test.each(readdirSync("specs"))("accept specs/%s", (name) => {
    const validate = ajv.compile(made["config/spec.schema.json"] ?? {});
    validate(parse(readFileSync(`specs/${name}`, "utf8"), { merge: true }));
    expect(validate.errors).toBeNull();
  });

  test("accept config/default.yaml", () => {
    const validate = ajv.compile(made["config/config.schema.json"] ?? {});
    validate(parse(readFileSync("config/default.yaml", "utf8")));
    expect(validate.errors).toBeNull();
  });

  test.each([
    [{ agent: "a", queries: [] }],
    [{ agent: "a", queries: [{ query: "q", path: { max_tool_cals: 1 } }] }],
    [{ queries: [{ query: "q" }] }],
    [{ agent: "a", queries: [{ query: "q", path: { max_tool_calls: -1 } }] }],
  ])("refuse %j", (spec) => {
    expect(ajv.validate(made["config/spec.schema.json"] ?? {}, spec)).toBe(false);
  });
});
