import type { JsonValue } from "../../model/json.ts";
import { canonicalJson } from "../../support/structures/canonical-json.ts";
import { plainName } from "../notations/names.ts";

/** Names are compared without separators. A server's or plugin's name may precede the tool's. */
export function sameTool(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return false;
  if (a === b || plainName(a) === plainName(b)) return true;
  return isSuffix(a, b) || isSuffix(b, a);
}

function isSuffix(whole: string, end: string): boolean {
  const at = whole.length - end.length;
  return at > 0 && whole.endsWith(end) && /[-_.:/]/.test(whole[at - 1] ?? "");
}

/** Text that is equal for equal arguments. Absent and empty arguments are equal. */
export function argumentsKey(value: JsonValue | undefined): string {
  return value === undefined || value === null ? "{}" : canonicalJson(value);
}
