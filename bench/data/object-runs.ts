import type { AgentRun, ModelCall, ToolCall, Usage } from "../../src/model/run.ts";
import { unixNanoseconds } from "../../src/model/telemetry/unix-nanoseconds.ts";

/*
 * The straightforward way from decoded objects to runs, for comparison: a map of spans by trace, a record of attributes for each span. Knows the one
 * notation that the generator writes, and reads of it no more than the checks of `spec.yaml` ask for.
 */

type Attributes = Readonly<Record<string, unknown>>;

interface ObjectSpan {
  readonly traceId: unknown;
  readonly spanId: unknown;
  readonly parentSpanId?: unknown;
  readonly name: string;
  readonly startTimeUnixNano: unknown;
  readonly endTimeUnixNano: unknown;
  readonly attributes?: readonly { readonly key: string; readonly value?: Attributes }[];
  readonly status?: { readonly code?: number; readonly message?: string };
}

export interface ObjectRequest {
  readonly resourceSpans?: readonly {
    readonly scopeSpans?: readonly { readonly spans?: readonly ObjectSpan[] }[];
  }[];
}

interface Read {
  readonly spanId: string;
  readonly parent: string;
  readonly span: ObjectSpan;
  readonly attributes: Attributes;
}

/** Spans by trace id, until they are taken. */
export class ObjectTraces {
  readonly open = new Map<string, ObjectSpan[]>();

  add({ resourceSpans = [] }: ObjectRequest): void {
    for (const { scopeSpans = [] } of resourceSpans)
      for (const { spans = [] } of scopeSpans) for (const span of spans) this.#addSpan(span);
  }

  /** All traces of which a root is there, or just all, as runs; traces without an agent are left out. */
  take(all: boolean): AgentRun[] {
    const runs: AgentRun[] = [];
    for (const [traceId, spans] of this.open) {
      if (!all && !spans.some(({ parentSpanId }) => hex(parentSpanId) === "")) continue;
      this.open.delete(traceId);
      const run = runOf(traceId, spans);
      if (run !== null) runs.push(run);
    }
    return runs;
  }

  #addSpan(span: ObjectSpan): void {
    const traceId = hex(span.traceId);
    const spans = this.open.get(traceId);
    if (spans === undefined) this.open.set(traceId, [span]);
    else spans.push(span);
  }
}

function runOf(traceId: string, spans: readonly ObjectSpan[]): AgentRun | null {
  const read = spans
    .map((span): Read => ({
      spanId: hex(span.spanId),
      parent: hex(span.parentSpanId),
      span,
      attributes: attributesOf(span),
    }))
    .sort((a, b) => startMs(a.span) - startMs(b.span));
  const of = (operation: string): Read[] =>
    read.filter(({ attributes }) => attributes["gen_ai.operation.name"] === operation);
  const root = read.find(({ parent }) => parent === "") ?? read[0];
  if (root === undefined || root.attributes["gen_ai.operation.name"] !== "invoke_agent") return null;
  const llm = of("chat").map((one) => modelCall(traceId, one));
  const usage = total(llm);
  const agent = textOf(root.attributes["gen_ai.agent.name"]);
  return {
    ...empty,
    runId: `${traceId}-${root.spanId}`,
    traceId,
    traceIds: [traceId],
    rootSpanId: root.spanId,
    agent,
    finalAgent: agent,
    conversationId: textOf(root.attributes["gen_ai.conversation.id"]),
    query: messageText(root.attributes["gen_ai.input.messages"]),
    answer: messageText(root.attributes["gen_ai.output.messages"]),
    status: root.span.status?.code === 2 ? "error" : "ok",
    error: root.span.status?.code === 2 ? (root.span.status.message ?? "error") : null,
    tools: of("execute_tool").map((one) => toolCall(traceId, one)),
    llmCalls: llm.length,
    llm,
    usage,
    totalTokens: (usage.input ?? 0) + (usage.output ?? 0),
    models: [...new Set(llm.flatMap(({ model }) => model ?? []))],
    startUnixMs: startMs(root.span),
    durationMs: durationMs(root.span),
    rootEndUnixNano: unixNanoseconds(startMs(root.span) + durationMs(root.span)),
  };
}

const nothingUsed: Usage = { input: null, output: null, cached: null, cacheWrite: null, reasoning: null };

const empty = {
  service: null,
  handoffs: [],
  handoffsAvailable: null,
  retrievals: [],
  guardrails: [],
  responseModels: [],
  costUsd: null,
  priceSource: null,
  attributes: new Map(),
  dialects: ["otel"],
  complete: true,
  closeReason: "root_complete",
  missing: [],
  messages: [],
  systemInstructions: null,
  toolDefinitions: null,
} as const;

function modelCall(traceId: string, { spanId, span, attributes }: Read): ModelCall {
  return {
    spanId,
    traceId,
    agent: textOf(attributes["gen_ai.agent.name"]),
    model: textOf(attributes["gen_ai.request.model"]),
    responseModel: textOf(attributes["gen_ai.response.model"]),
    finishReason: null,
    usage: {
      ...nothingUsed,
      input: Number(attributes["gen_ai.usage.input_tokens"] ?? 0),
      output: Number(attributes["gen_ai.usage.output_tokens"] ?? 0),
    },
    costUsd: null,
    startUnixMs: startMs(span),
    durationMs: durationMs(span),
    error: null,
  };
}

function toolCall(traceId: string, { spanId, span, attributes }: Read): ToolCall {
  return {
    spanId,
    traceId,
    name: textOf(attributes["gen_ai.tool.name"]),
    arguments: parsed(attributes["gen_ai.tool.call.arguments"]) as ToolCall["arguments"],
    result: parsed(attributes["gen_ai.tool.call.result"]) as ToolCall["result"],
    error: span.status?.code === 2 ? (span.status.message ?? "error") : null,
    agent: textOf(attributes["gen_ai.agent.name"]),
    callId: textOf(attributes["gen_ai.tool.call.id"]),
    startUnixMs: startMs(span),
    durationMs: durationMs(span),
    executed: true,
    retried: false,
  };
}

function total(calls: readonly ModelCall[]): Usage {
  const sum = (of: "input" | "output"): number => calls.reduce((so, { usage }) => so + (usage[of] ?? 0), 0);
  return { ...nothingUsed, input: sum("input"), output: sum("output") };
}

function attributesOf({ attributes = [] }: ObjectSpan): Attributes {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));
}

function valueOf(value: Attributes | undefined): unknown {
  return value?.["stringValue"] || value?.["intValue"] || value?.["doubleValue"] || value?.["boolValue"];
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function parsed(value: unknown): unknown {
  return typeof value === "string" && value !== "" ? JSON.parse(value) : undefined;
}

function messageText(value: unknown): string | null {
  const [first] = (parsed(value) ?? []) as { parts?: { content?: string }[] }[];
  return first?.parts?.[0]?.content ?? null;
}

/** Protobuf has ids as bytes, JSON as hex. */
function hex(id: unknown): string {
  if (typeof id === "string") return id;
  return id instanceof Uint8Array ? Buffer.from(id.buffer, id.byteOffset, id.length).toString("hex") : "";
}

function startMs({ startTimeUnixNano }: ObjectSpan): number {
  return Number(startTimeUnixNano) / 1e6;
}

function durationMs(span: ObjectSpan): number {
  return Number(span.endTimeUnixNano) / 1e6 - startMs(span);
}
