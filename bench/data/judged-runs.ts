import type { AgentRun, ModelCall, ToolCall } from "../../src/model/run.ts";
import { Random } from "./random.ts";

/** Shape of the spec and the runs that the figures of `evaluate` are about. */
const TOOLS = ["search_orders", "get_order", "issue_refund", "send_mail", "search_docs", "get_customer"];
const CITIES = ["Oslo", "Lima", "Bergen", "Quito", "Turin", "Porto"];

/**
 * A spec of so many queries as people write them: most by their text, some by template or regular expression, one for the rest, each with
 * checks of all three layers.
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
      ? `match: { pattern: "Case ${at}: what about {thing} in {city}?" }`
      : at % 10 === 7
        ? `match: { pattern: "^(?i)ticket ${at}[a-z]* (open|close) #[0-9]+" }`
        : "match: {}";
  return `  - id: q${at}
    query: "Question ${at}: where is my parcel, and who has it?"
    ${match}
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
    cost:
      max_cost_usd: 1.5
      max_llm_calls: 12
      max_total_tokens: 60000
      max_latency_ms: 60000`;
}

/** Assembled runs that ask the queries of `specText`, in no order; the same for the same numbers. */
export function judgedRuns(count: number, queries: number): readonly AgentRun[] {
  const random = new Random(7);
  const shapes = Array.from({ length: Math.min(count, SHAPES) }, (_, at) =>
    runOf(at, random.int(0, queries - 1), random),
  );
  return Array.from({ length: count }, (_, at) => {
    const shape = shapes[at % shapes.length] ?? runOf(at, 0, random);
    const traceId = (at + 1).toString(16).padStart(32, "0");
    return { ...shape, traceId, runId: `${traceId}-${shape.rootSpanId}` };
  });
}

/** Runs beyond these have the steps of an earlier one, so that a hundred thousand fit into memory. */
const SHAPES = 5_000;

function runOf(at: number, query: number, random: Random): AgentRun {
  const traceId = (at + 1).toString(16).padStart(32, "0");
  const rootSpanId = (at + 1).toString(16).padStart(16, "0");
  const tools = calledTools(random).map((name, call) => toolOf(traceId, call, name));
  const llm = Array.from({ length: 1 + random.int(0, 3) }, (_, call) => modelOf(traceId, call, random));
  const input = llm.reduce((sum, { usage }) => sum + (usage.input ?? 0), 0);
  const output = llm.reduce((sum, { usage }) => sum + (usage.output ?? 0), 0);
  return {
    runId: `${traceId}-${rootSpanId}`,
    traceId,
    traceIds: [traceId],
    rootSpanId,
    service: "shop",
    agent: "shop-agent",
    finalAgent: "shop-agent",
    conversationId: null,
    query: asked(query, random),
    answer: `Your parcel ${query} left the depot in ${pick(CITIES, random)} and is on its way to you.`,
    status: "ok",
    error: null,
    tools,
    handoffs: [],
    handoffsAvailable: null,
    retrievals: [],
    guardrails: [],
    llmCalls: llm.length,
    llm,
    usage: { input, output, cached: null, cacheWrite: null, reasoning: null },
    totalTokens: input + output,
    models: ["gpt-5"],
    responseModels: [],
    costUsd: 0.01,
    priceSource: "bench",
    startUnixMs: 1_750_000_000_000 + at,
    durationMs: 900,
    attributes: new Map(),
    dialects: ["otel"],
    complete: true,
    closeReason: "root_complete",
    missing: [],
    messages: [],
    systemInstructions: null,
    toolDefinitions: null,
    rootEndUnixNano: BigInt(1_750_000_000_900 + at) * 1_000_000n,
  };
}

function asked(query: number, random: Random): string {
  if (query % 10 === 3) return `Case ${query}: what about the parcel in ${pick(CITIES, random)}?`;
  if (query % 10 === 7) return `Ticket ${query} open #${random.int(0, 999)}`;
  const text = `Question ${query}: where is my parcel, and who has it?`;
  return query % 10 === 5 ? ` ${text.toUpperCase()}` : text;
}

/** Two to nine calls; nine runs in ten begin as the spec expects. */
function calledTools(random: Random): readonly string[] {
  const further = Array.from({ length: random.int(0, 7) }, () => pick(TOOLS, random));
  return random.chance(0.9) ? ["search_orders", "get_order", ...further] : ["get_customer", ...further];
}

function toolOf(traceId: string, call: number, name: string): ToolCall {
  return {
    spanId: (0x7000 + call).toString(16).padStart(16, "0"),
    traceId,
    name,
    arguments: { order: call },
    result: "found",
    error: null,
    agent: "shop-agent",
    callId: `call_${call}`,
    startUnixMs: 1_750_000_000_000 + call,
    durationMs: 5,
    executed: true,
    retried: false,
  };
}

function modelOf(traceId: string, call: number, random: Random): ModelCall {
  return {
    spanId: (0x3000 + call).toString(16).padStart(16, "0"),
    traceId,
    agent: "shop-agent",
    model: "gpt-5",
    responseModel: null,
    finishReason: "stop",
    usage: { input: 500 + random.int(0, 499), output: 50, cached: null, cacheWrite: null, reasoning: null },
    costUsd: 0.002,
    startUnixMs: 1_750_000_000_000 + call,
    durationMs: 100,
    error: null,
  };
}

function pick(from: readonly string[], random: Random): string {
  return from[random.int(0, from.length - 1)] ?? "";
}
