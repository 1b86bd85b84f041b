import { resultJsonText } from "../../src/render/result-json.ts";
import type { TestResult } from "../../src/render/result.ts";
import type { ResultJson } from "../../src/render/verdict-schema.ts";

/** What `test --format json` writes, read again. */
export function resultJson(result: TestResult): ResultJson {
  return JSON.parse([...resultJsonText(result)].join("")) as ResultJson;
}
