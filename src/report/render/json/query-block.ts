import { isLiteral } from "../../../authoring/query-text/literal-query.ts";
import { yamlText } from "../../../authoring/query-text/spec-text.ts";
import { isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";

const header =
  " Made from one run, which is assumed to be good. Most limits are wide; `tracejury calibrate --write` sets them from several runs. Add rules for the answer under correctness.";

/**
 * Returns a YAML block for `queries:` of a spec, made from a run in the format of `inspect --format json`.
 * The block expects the called tools and the hand-offs. The limits are one and a half times the run's calls,
 * and twice its tokens and cost. Values that the run lacks are left out. Returns null if the query text is
 * unknown, or is `*`, which in a spec matches any text.
 */
export function proposeQuery(run: JsonObject): string | null {
  const query = run["query"];
  if (typeof query !== "string" || query.trim() === "" || !isLiteral(query)) return null;
  const block = { query, ...part("path", pathOf(run)), ...part("cost", costOf(run)) };
  return yamlText([block], { comment: header, lineWidth: 100 });
}

function pathOf(run: JsonObject): Record<string, JsonValue> {
  const used = objects(run["tools"]).filter(({ executed }) => executed !== false);
  const tools = names(used, "name");
  const handoffs = names(objects(run["handoffs"]), "to");
  if (used.length === 0)
    return { max_tool_calls: 0, ...(handoffs.length > 0 && { expected_handoffs: handoffs }) };
  return {
    ...(tools.length > 0 && { expected_tools: tools, min_tool_recall: 1 }),
    max_tool_calls: Math.ceil(used.length * 1.5),
    ...(handoffs.length > 0 && { expected_handoffs: handoffs }),
  };
}

function costOf(run: JsonObject): Record<string, JsonValue> {
  const limits: Record<string, JsonValue> = {};
  const set = (key: string, from: string, headroom: (value: number) => number): void => {
    const value = run[from];
    if (typeof value === "number" && value > 0) limits[key] = headroom(value);
  };
  set("max_llm_calls", "llm_calls", (value) => Math.ceil(value * 1.5));
  set("max_total_tokens", "total_tokens", (value) => Math.ceil((value * 2) / 100) * 100);
  set("max_cost_usd", "cost_usd", (value) => Number((value * 2).toPrecision(2)));
  return limits;
}

function part(name: string, content: Record<string, JsonValue>): Record<string, JsonValue> {
  return Object.keys(content).length === 0 ? {} : { [name]: content };
}

function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function names(items: readonly JsonObject[], key: string): string[] {
  return [...new Set(items.map((item) => item[key]).filter((name) => typeof name === "string"))];
}
