import type { AgentRun } from "../../src/model/run.ts";
import { runOf } from "../../test/support/run-of.ts";
import { Random } from "./random.ts";

const TOOLS = [
  "search_orders",
  "get_order",
  "issue_refund",
  "send_mail",
  "search_docs",
  "get_customer",
] as const;
const CITIES = ["Oslo", "Lima", "Bergen", "Quito", "Turin", "Porto"] as const;

/**
 * A spec with many queries: most match by their text, some by a template or a regular expression, and the last one matches all other runs.
 * Each of them, except the last, has checks of all three layers.
 */
export function specText(queries: number): string {
  const lines = ["version: 1", "agent: shop-agent", "queries:"];
  for (let at = 0; at < queries - 1; at++) lines.push(queryText(at));
  lines.push(`  - { id: rest, query: "*", path: { max_tool_calls: 20 }, cost: { max_total_tokens: 90000 } }`);
  return lines.join("\n");
}

function queryText(at: number): string {
  const match =
    at % 10 === 3
      ? `{ pattern: "Case ${at}: what about {thing} in {city}?" }`
      : at % 10 === 7
        ? `{ pattern: "^(?i)ticket ${at}[a-z]* (open|close) #[0-9]+" }`
        : "{}";
  return `  - id: q${at}
    query: "Question ${at}: where is my parcel, and who has it?"
    match: ${match}
    correctness:
      expected_in_answer: ["parcel ${at}", "depot"]
      not_in_answer: ["as a language model", "i cannot"]
      regex_match: "parcel [0-9]+"
    path:
      max_tool_calls: 12
      expected_tools: [search_orders, get_order]
      min_tool_recall: 0.5
      min_tool_precision: 0.1
      forbidden_tools: [delete_account, drop_table]
      expected_tool_sequence: [search_orders, get_order]
      sequence_mode: contains-in-order
      max_loops: 3
      max_tool_errors: 1
      max_handoff_count: 1
    cost: { max_cost_usd: 1.5, max_llm_calls: 12, max_total_tokens: 60000, max_latency_ms: 60000 }`;
}

/** Assembled runs with queries of `specText` in random order. Equal arguments give equal runs. */
export function judgedRuns(count: number, queries: number): readonly AgentRun[] {
  const random = new Random(7);
  return Array.from({ length: count }, (_, at) => {
    const query = random.int(0, queries - 1);
    const further = Array.from({ length: random.int(0, 7) }, () => random.pick(TOOLS));
    return runOf({
      traceId: (at + 1).toString(16).padStart(32, "0"),
      agent: "shop-agent",
      query: asked(query, random),
      answer: `Your parcel ${query} left the depot in ${random.pick(CITIES)} and is on its way to you.`,
      // Nine of ten runs start with the tool calls that the spec expects.
      tools: random.chance(0.9) ? ["search_orders", "get_order", ...further] : ["get_customer", ...further],
      llm: Array.from({ length: 1 + random.int(0, 3) }, () => ({ usage: { input: 500, output: 50 } })),
      usage: { input: 1500, output: 150 },
      costUsd: 0.01,
    });
  });
}

function asked(query: number, random: Random): string {
  if (query % 10 === 3) return `Case ${query}: what about the parcel in ${random.pick(CITIES)}?`;
  if (query % 10 === 7) return `Ticket ${query} open #${random.int(0, 999)}`;
  const text = `Question ${query}: where is my parcel, and who has it?`;
  return query % 10 === 5 ? ` ${text.toUpperCase()}` : text;
}
