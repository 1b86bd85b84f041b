import { resultJsonText } from "../../src/render/json/result-json.ts";
import type { TestResult } from "../../src/render/json/result.ts";
import type { ResultJson } from "../../src/json/verdict-schema.ts";

/** What `test --format json` writes, read again. */
export function resultJson(result: TestResult): ResultJson {
  return JSON.parse([...resultJsonText(result)].join("")) as ResultJson;
}
