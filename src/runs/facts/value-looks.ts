import type { JsonValue } from "../../model/json.ts";
import { readCounts } from "../notations/usage.ts";
import { F } from "./fields.ts";

/** Matches flags, numbers and times, which are not text. */
const noWords = /^(?:true|false|null|none|\d+(?:\.\d+)?|\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.,Z+-]*)$/i;

/** Whether the value is possible for the field. `field` was inferred from the attribute's name. */
export function mayBe(field: number, value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return false;
  switch (field) {
    // An empty output is an answer with an empty text, which was recorded.
    case F.output:
      return typeof value === "string" ? !noWords.test(value) : typeof value === "object";
    case F.input:
    case F.inputMessages:
    case F.outputMessages:
    case F.instructions:
    case F.agent:
    case F.tool:
      return typeof value === "string" ? value !== "" && !noWords.test(value) : typeof value === "object";
    case F.usage: {
      const { input, output } = readCounts(value);
      return input !== undefined || output !== undefined;
    }
    default:
      return true;
  }
}
