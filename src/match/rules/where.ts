import { isArray, type JsonValue } from "../../model/json.ts";
import type { AgentRun } from "../../model/run.ts";
import type { CompiledSpec } from "../../evaluate/query/compiled.ts";

/**
 * Whether the run has every attribute that the query requires. If the query lists several values, one is enough. If the run's attribute is
 * a list, one of its values is enough. Numbers and booleans equal their text, because instrumentations record both forms. A number in the
 * run also equals a text in the query that writes the same number differently: 1.1 equals `1.10`.
 */
export function whereHolds(
  where: ReadonlyMap<string, JsonValue>,
  run: Pick<AgentRun, "attributes">,
): boolean {
  for (const [name, wanted] of where) {
    const actual = run.attributes.get(name);
    if (actual === undefined) return false;
    const held = isArray(actual) ? actual : [actual];
    const options = isArray(wanted) ? wanted : [wanted];
    if (!options.some((option) => held.some((value) => sameScalar(option, value)))) return false;
  }
  return true;
}

/**
 * Whether two values that are not lists are equal.
 * @param a value of the query
 * @param b value of the run
 */
function sameScalar(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (typeof a === "string" && typeof b === "number") return a.trim() !== "" && Number(a) === b;
  return isScalar(a) && isScalar(b) && String(a) === String(b);
}

function isScalar(value: JsonValue): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Returns the names of the attributes that `match.where` compares, so that runs retain these attributes. */
export function attributesNeeded(specs: readonly CompiledSpec[]): ReadonlySet<string> {
  return new Set(specs.flatMap((spec) => spec.queries.flatMap((query) => [...query.match.where.keys()])));
}
