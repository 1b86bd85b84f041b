import { canonicalJson } from "../../support/structures/canonical-json.ts";
import { isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { AgentRun, ToolCall } from "../../model/run.ts";

/**
 * Maximum number of words of an equal text argument that always becomes a check. A longer text was probably written by the model, and may
 * vary in other runs. It becomes a check only if the query contains the text, or if there are `RUNS_FOR_FREE_TEXT` or more runs.
 */
const FREE_WORDS = 3;
const RUNS_FOR_FREE_TEXT = 5;
const LONGEST = 200;

/**
 * Returns `spans` checks for arguments that are equal in all runs. The n-th call of a tool is compared with
 * the n-th call in the other runs. If all calls of the tool have the same value, the check is about every call, otherwise about at least
 * one call.
 */
export function constantArguments(runs: readonly AgentRun[]): readonly JsonObject[] {
  const calls = runs.map(({ tools }) => callsByTool(tools));
  const [first = new Map<string, readonly ToolCall[]>()] = calls;
  return [...first].flatMap(([name, own]) => {
    const sides = calls.map((byTool) => byTool.get(name) ?? []);
    if (sides.some((side) => side.length !== own.length)) return [];
    const agreed = own.map((_, at) => common(sides.map((side) => side[at]?.arguments)));
    const steady = agreed.map((entries) => written(entries, runs));
    const everywhere = common(steady);
    const assertions = [assertion(name, everywhere, false)];
    if (own.length > 1) {
      for (const entries of steady) {
        const rest = Object.entries(entries).filter(([key]) => !Object.hasOwn(everywhere, key));
        assertions.push(assertion(name, Object.fromEntries(rest), true));
      }
    }
    return distinct(assertions.filter((one) => one !== null));
  });
}

function callsByTool(tools: readonly ToolCall[]): Map<string, ToolCall[]> {
  const calls = new Map<string, ToolCall[]>();
  for (const call of tools) {
    if (call.executed === false || call.name === null) continue;
    calls.set(call.name, [...(calls.get(call.name) ?? []), call]);
  }
  return calls;
}

/**
 * Returns the entries with equal values in all objects. Returns `{}` if one of the values is not an object.
 */
function common(values: readonly (JsonValue | undefined)[]): JsonObject {
  const [first, ...others] = values;
  if (!isObject(first)) return {};
  const equal = Object.entries(first).filter(([key, value]) =>
    others.every(
      (other) =>
        isObject(other) &&
        Object.hasOwn(other, key) &&
        canonicalJson(other[key] ?? null) === canonicalJson(value ?? null),
    ),
  );
  return Object.fromEntries(equal);
}

/** Returns the entries that are unlikely to vary in later runs. */
function written(entries: JsonObject, runs: readonly AgentRun[]): JsonObject {
  const queryText = runs[0]?.query?.toLowerCase() ?? "";
  const isSteady = (value: JsonValue | undefined): boolean => {
    if (typeof value !== "string") return JSON.stringify(value ?? null).length <= LONGEST;
    if (value.length > LONGEST) return false;
    const isShort = value.trim().split(/\s+/).length <= FREE_WORDS;
    return isShort || runs.length >= RUNS_FOR_FREE_TEXT || queryText.includes(value.toLowerCase());
  };
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => isSteady(value)));
}

function assertion(name: string, includes: JsonObject, some: boolean): JsonObject | null {
  if (Object.keys(includes).length === 0) return null;
  return { kind: "tool", name, field: "arguments", includes, ...(some ? { some } : {}) };
}

function distinct(values: readonly JsonObject[]): readonly JsonObject[] {
  return [...new Map(values.map((value) => [canonicalJson(value), value])).values()];
}
