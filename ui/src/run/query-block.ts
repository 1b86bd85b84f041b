import type { JsonValue } from "../types.ts";

interface Seen {
  readonly query: string | null;
  readonly tools?: readonly { readonly name: string | null; readonly executed: boolean | null }[];
  readonly llm_calls?: number | null;
  readonly total_tokens?: number | null;
  readonly duration_ms?: number | null;
}

/** Factor by which a budget is larger than what the run used. */
const headroom = 1.5;

/**
 * Returns the YAML of a query that is made from a run. It expects the run's tools, and its budgets are `headroom` times what the run used.
 */
export function queryBlock(run: Seen): string {
  const names = (run.tools ?? [])
    .filter(({ executed }) => executed !== false)
    .flatMap(({ name }) => name ?? []);
  const unique = [...new Set(names)];
  const lines = [`- id: ${idOf(run.query ?? "query")}`, `  query: ${quoted(run.query ?? "")}`];
  if (run.tools !== undefined) {
    lines.push("  path:", `    expected_tools: [${unique.map(quoted).join(", ")}]`);
    lines.push(`    max_tool_calls: ${Math.ceil(names.length * headroom)}`);
  }
  const budgets = [
    budget("max_llm_calls", run.llm_calls, 1),
    budget("max_total_tokens", run.total_tokens, 100),
    budget("max_latency_ms", run.duration_ms, 1000),
  ].filter((line) => line !== "");
  if (budgets.length > 0) lines.push("  cost:", ...budgets);
  return `${lines.join("\n")}\n`;
}

function budget(key: string, used: number | null | undefined, step: number): string {
  if (used === null || used === undefined) return "";
  return `    ${key}: ${Math.ceil((used * headroom) / step) * step}`;
}

function idOf(query: string): string {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return quotedIfNeeded(words.slice(0, 5).join("-").slice(0, 60) || "query");
}

function quotedIfNeeded(text: string): string {
  return /^[a-z][a-z0-9-]*$/.test(text) && !/^(true|false|null|yes|no|on|off)$/.test(text)
    ? text
    : quoted(text);
}

/** Formats a value as a YAML scalar. JSON is used, because each JSON string is a valid YAML scalar. */
function quoted(value: JsonValue): string {
  return JSON.stringify(value);
}
