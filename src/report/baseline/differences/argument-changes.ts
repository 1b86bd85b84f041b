import { deepEqual } from "../../../evaluate/metrics/sequences/deep-equal.ts";
import { isArray, isObject, type JsonValue } from "../../../model/json.ts";
import { valueSimilarity } from "./wording.ts";

/** How one argument of a tool call differs. */
export interface ArgumentChange {
  readonly argument: string;
  readonly kind: "missing" | "added" | "type changed" | "value changed";
  readonly similarity: number | null;
}

/** What differs between the arguments of two calls of one tool, by name; what is no object is compared as a whole. */
export function argumentChanges(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): readonly ArgumentChange[] {
  if (before === undefined || after === undefined || deepEqual(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [valueChange("(all)", before, after)];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].sort().flatMap((name) => {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    const now = Object.hasOwn(after, name) ? after[name] : undefined;
    if (old === undefined) return now === undefined ? [] : [change(name, "added")];
    if (now === undefined) return [change(name, "missing")];
    return deepEqual(old, now) ? [] : [valueChange(name, old, now)];
  });
}

function valueChange(argument: string, before: JsonValue, after: JsonValue): ArgumentChange {
  if (kindOf(before) !== kindOf(after)) return change(argument, "type changed");
  return { argument, kind: "value changed", similarity: valueSimilarity(before, after) };
}

function change(argument: string, kind: ArgumentChange["kind"]): ArgumentChange {
  return { argument, kind, similarity: null };
}

function kindOf(value: JsonValue): string {
  if (value === null) return "null";
  return isArray(value) ? "array" : typeof value;
}
