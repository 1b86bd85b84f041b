import type { JsonValue } from "../../src/model/json.ts";
import type { AgentRun, Handoff, KnowsSettings, ModelCall, ToolCall, Usage } from "../../src/model/run.ts";
import { unixNanoseconds } from "../../src/model/telemetry/unix-nanoseconds.ts";

const unknownUsage: Usage = { input: null, output: null, cached: null, cacheWrite: null, reasoning: null };
const START = 1_750_000_000_000;
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

/** A tool call: its name, or the fields that a test needs. */
export type ToolText = string | Partial<ToolCall>;
export type ModelText = Partial<Omit<ModelCall, "usage">> & { readonly usage?: Partial<Usage> };

type Given = Partial<Omit<AgentRun, "tools" | "llm" | "handoffs" | "usage" | "attributes"> & KnowsSettings>;

/** The fields of a run that a test needs, with short forms for tool calls, model calls and handoffs. */
export type RunText = Given & {
  readonly tools?: readonly ToolText[];
  readonly llm?: readonly ModelText[];
  readonly handoffs?: readonly (string | Partial<Handoff>)[];
  readonly usage?: Partial<Usage>;
  readonly attributes?: Readonly<Record<string, JsonValue>>;
};

/**
 * A complete run with an answer and no tools; all other facts are unknown. Token totals are computed from `usage`; costs are unknown unless
 * given.
 */
export function runOf(text: RunText = {}): AgentRun {
  const usage = { ...unknownUsage, ...text.usage };
  const traceId = text.traceId ?? TRACE;
  const durationMs = text.durationMs ?? 1000;
  const startUnixMs = text.startUnixMs ?? START;
  return {
    runId: `${traceId}-00f067aa0ba902b7`,
    traceIds: [traceId],
    rootSpanId: "00f067aa0ba902b7",
    service: "shop",
    agent: "support",
    finalAgent: null,
    conversationId: null,
    query: "Where is my order?",
    answer: "It is on its way.",
    status: "ok",
    error: null,
    handoffsAvailable: null,
    retrievals: [],
    guardrails: [],
    llmCalls: text.llm?.length ?? null,
    totalTokens: usage.input === null || usage.output === null ? null : usage.input + usage.output,
    models: [],
    responseModels: [],
    costUsd: null,
    priceSource: null,
    dialects: ["otel"],
    complete: true,
    closeReason: "root_complete",
    missing: [],
    messages: [],
    systemInstructions: null,
    toolDefinitions: null,
    rootEndUnixNano: unixNanoseconds(startUnixMs + durationMs),
    ...text,
    traceId,
    durationMs,
    startUnixMs,
    usage,
    tools: (text.tools ?? []).map(toolOf),
    llm: (text.llm ?? []).map(modelCallOf),
    handoffs: (text.handoffs ?? []).map(handoffOf),
    attributes: new Map(Object.entries(text.attributes ?? {})),
  };
}

/** Ids are counted, so that they differ: span `70000001`, call `call_1`. */
export function toolOf(text: ToolText, at = 0): ToolCall {
  return {
    spanId: spanId(0x7, at + 1),
    traceId: TRACE,
    name: null,
    arguments: {},
    result: "done",
    error: null,
    agent: null,
    callId: `call_${at + 1}`,
    startUnixMs: START + at * 10,
    durationMs: 5,
    executed: true,
    retried: false,
    ...(typeof text === "string" ? { name: text } : text),
  };
}

function modelCallOf(text: ModelText, at: number): ModelCall {
  return {
    spanId: spanId(0x3, at + 1),
    traceId: TRACE,
    agent: null,
    model: "gpt-5",
    responseModel: null,
    finishReason: "stop",
    costUsd: null,
    startUnixMs: START + at * 10,
    durationMs: 5,
    error: null,
    ...text,
    usage: { ...unknownUsage, ...text.usage },
  };
}

function handoffOf(text: string | Partial<Handoff>, at: number): Handoff {
  return {
    spanId: spanId(0x5, at + 1),
    from: null,
    to: "",
    kind: "tool",
    inferred: false,
    ...(typeof text === "string" ? { to: text } : text),
  };
}

/** An id of 16 hexadecimal digits: a digit for the kind, then a number. */
function spanId(kind: number, number: number): string {
  return `${kind.toString(16)}${number.toString(16).padStart(15, "0")}`;
}
