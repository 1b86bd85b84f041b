import { resultJsonText } from "../../src/report/render/json/result-json.ts";
import type { TestResult } from "../../src/report/render/json/result.ts";
import type { ResultJson } from "../../src/report/json/verdict-schema.ts";

/** The parsed output of `test --format json`. */
export function resultJson(result: TestResult): ResultJson {
  return JSON.parse([...resultJsonText(result)].join("")) as ResultJson;
}
