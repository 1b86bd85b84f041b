import type { LlmCall } from "../fragments/llm-call.ts";
import { TranscriptCall } from "../fragments/transcript-calls.ts";
import { lastText } from "../span/read-texts.ts";
import { isArray, type JsonValue } from "../../model/json.ts";
import type { Message } from "../../model/message.ts";
import type {
  AgentRun,
  CloseReason,
  Guardrail,
  Handoff,
  Missing,
  ModelCall,
  Retrieval,
  ToolCall,
  Usage,
} from "../../model/run.ts";
import type { SpanView } from "../../model/span-view.ts";
import { agentOfSpan, sameAgent } from "./agent-names.ts";
import type { Explanation } from "../../model/explanation.ts";
import { explainRun } from "../explain/explain-run.ts";
import type { Explained } from "../explain/explained.ts";
import { rootName } from "./attribution.ts";
import { answerOf } from "./answer.ts";
import { handoffsOffered } from "./handoffs-offered.ts";
import { conversationOf } from "./conversation.ts";
import { gapsOf, saysNothing } from "./completeness.ts";
import { unknownsOf, unpricedOf } from "./unknowns.ts";
import type { Evidence } from "./evidence.ts";
import type { StitchOptions } from "../stitching/stitch-options.ts";
import { type Coverage, coverageOf, runUsage } from "./llm-usage.ts";
import { distinct, type Models, modelsOf } from "./models.ts";
import { queryOf } from "./query.ts";
import { retrievalOf } from "./retrievals.ts";
import { runAttributes } from "./run-attributes.ts";
import { serviceTierOf } from "./service-tier.ts";
import { failureOf, isTripped, statusOf } from "./status.ts";
import { readSteps, type Steps } from "./steps.ts";
import { usageOf } from "./tokens.ts";
import { toolsOf } from "./tools.ts";

/** A run read from its evidence: each field when first asked for, then kept. */
export class AssembledRun implements AgentRun, Explained {
  readonly runId: string;
  readonly traceId: string;
  readonly rootSpanId: string;
  readonly closeReason: CloseReason;
  readonly #evidence: Evidence;
  readonly #options: StitchOptions;
  readonly #kept = new Map<string, unknown>();
  readonly #models = new Map<LlmCall, Models>();

  constructor(evidence: Evidence, options: StitchOptions, closeReason: CloseReason) {
    this.#evidence = evidence;
    this.#options = options;
    const { span } = evidence.root;
    this.traceId = span.traceId;
    this.rootSpanId = span.spanId;
    this.runId = `${span.traceId}-${span.spanId}`;
    this.closeReason = closeReason;
  }

  #once<T>(field: string, read: () => T): T {
    if (!this.#kept.has(field)) this.#kept.set(field, read());
    return this.#kept.get(field) as T;
  }

  explain(): Explanation[] {
    return explainRun(this, this.#evidence);
  }

  get spans(): readonly SpanView[] {
    return this.#once("spans", () => this.#evidence.nodes.map(({ span }) => span));
  }

  get #steps(): Steps {
    return this.#once("steps", () => readSteps(this.#evidence));
  }

  get traceIds(): readonly string[] {
    return this.#once("traceIds", () => [...new Set(this.#evidence.fragments.map(({ traceId }) => traceId))]);
  }

  get service(): string | null {
    return this.#evidence.fragments[0].service;
  }

  get agent(): string | null {
    return this.#once("agent", () => {
      const first = this.#evidence.allCalls[0];
      const agent = first === undefined ? firstAgent(this.#evidence) : this.#steps.agentOfCall.get(first);
      return agent ?? rootName(this.#evidence.root) ?? this.service;
    });
  }

  get finalAgent(): string | null {
    return this.#once("finalAgent", () => {
      const last = this.#evidence.lastCall;
      return (last === undefined ? undefined : this.#steps.agentOfCall.get(last)) ?? this.agent;
    });
  }

  get conversationId(): string | null {
    return this.#once("conversationId", () => {
      return conversationOf(this.#evidence.nodes) ?? null;
    });
  }

  get query(): string | null {
    return this.#once("query", () => queryOf(this.#evidence));
  }

  get answer(): string | null {
    return this.#once("answer", () =>
      answerOf(this.#evidence, () => this.#steps, failureOf(this.#evidence) !== undefined),
    );
  }

  get status(): "ok" | "error" | null {
    return this.#once("status", () =>
      saysNothing(
        this.#evidence,
        () => this.#steps,
        () => this.answer,
      )
        ? null
        : statusOf(this.#evidence),
    );
  }

  get tools(): readonly ToolCall[] {
    return this.#once("tools", () =>
      toolsOf(this.#evidence, this.#steps).map((tool) => ({ ...tool, agent: tool.agent ?? this.agent })),
    );
  }

  get handoffs(): readonly Handoff[] {
    return this.#once("handoffs", () =>
      this.#steps.handoffs
        .map((handoff) => ({ ...handoff, from: handoff.from ?? this.agent }))
        .filter(({ from, to }) => from === null || !sameAgent(from, to)),
    );
  }

  get handoffsAvailable(): readonly string[] | null {
    return this.#once("handoffsAvailable", () => handoffsOffered(this.#evidence.nodes, this.handoffs));
  }

  get retrievals(): readonly Retrieval[] {
    return this.#once("retrievals", () => this.#evidence.withRole("retriever").map(retrievalOf));
  }

  get guardrails(): readonly Guardrail[] {
    return this.#once("guardrails", () =>
      this.#evidence.withRole("guardrail").map((node) => ({
        spanId: node.span.spanId,
        name: node.text("guardrail") ?? node.span.name,
        triggered: node.reading.boolean("triggered") ?? (isTripped(node) ? true : null),
      })),
    );
  }

  get #coverage(): Coverage {
    const hasAnswer = () => this.answer !== null;
    return this.#once("coverage", () => coverageOf(this.#evidence, () => this.#steps, hasAnswer));
  }

  get llmCalls(): number | null {
    return this.#once("llmCalls", () => {
      const coverage = this.#coverage;
      if (coverage === "zero") return 0;
      const known = coverage === "all" && this.#evidence.calls.every(isCounted);
      return known ? this.#evidence.calls.length : null;
    });
  }

  get llm(): readonly ModelCall[] {
    return this.#once("llm", () => this.#priced.map(({ modelCall }) => modelCall));
  }

  get #priced(): readonly PricedCall[] {
    return this.#once("priced", () => this.#evidence.allCalls.map((call) => this.#price(call)));
  }

  #modelsOf(call: LlmCall): Models {
    const known = this.#models.get(call) ?? modelsOf(call, this.#evidence.records);
    this.#models.set(call, known);
    return known;
  }

  #price(call: LlmCall): PricedCall {
    const { request, response } = this.#modelsOf(call);
    const usage = usageOf(call);
    const model = response ?? request;
    const tier = serviceTierOf(call);
    const own = call.node.number("cost");
    const price =
      own !== undefined || model === null || usage.input === null
        ? null
        : this.#options.price?.(call.field("provider") ?? null, model, usage, call.start, tier);
    const modelCall: ModelCall = {
      spanId: call.node.span.spanId,
      traceId: call.node.span.traceId,
      agent: this.#steps.agentOfCall.get(call) ?? this.agent,
      model: request,
      responseModel: response,
      finishReason: call.finish,
      responseId: call.field("responseId") ?? null,
      usage,
      costUsd: own ?? price?.usd ?? null,
      ...(tier === null ? {} : { serviceTier: tier }),
      startUnixMs: call.start,
      durationMs: call.end - call.start,
      error: call.failure,
    };
    return { modelCall, source: price?.source ?? null, unpriced: price?.unpriced ?? [] };
  }

  get usage(): Usage {
    return this.#once("usage", () => runUsage(this.#evidence, this.#coverage));
  }

  get totalTokens(): number | null {
    const { input, output } = this.usage;
    return input === null || output === null ? null : input + output;
  }

  get models(): readonly string[] {
    return this.#once("models", () => {
      const { allCalls } = this.#evidence;
      if (allCalls.length > 0) return distinct(allCalls.map((call) => this.#modelsOf(call).request));
      const agents = this.#evidence.withRole("agent");
      return distinct(agents.map((node) => node.text("requestModel") ?? node.text("model") ?? null));
    });
  }

  get responseModels(): readonly string[] {
    return this.#once("responseModels", () =>
      distinct(this.#evidence.calls.map((call) => this.#modelsOf(call).response)),
    );
  }

  get costUsd(): number | null {
    return this.#once("costUsd", () => {
      let sum = 0;
      for (const { costUsd, error } of this.llm) {
        if (costUsd === null && error === null) return null;
        sum += costUsd ?? 0;
      }
      return this.llm.length === 0 ? null : sum;
    });
  }

  get priceSource(): string | null {
    return this.#once(
      "priceSource",
      () => this.#priced.find(({ source }) => source !== null)?.source ?? null,
    );
  }

  get startUnixMs(): number {
    return this.#once("startUnixMs", () =>
      this.#evidence.nodes.reduce((start, node) => Math.min(start, node.start), this.#evidence.root.start),
    );
  }

  get rootEndUnixNano(): bigint {
    return this.#evidence.root.span.endUnixNano;
  }

  /** A span that reached us was sampled; only a sender that sets flags can say otherwise. */
  get rootTraceFlags(): number {
    const { flags = 0 } = this.#evidence.root.span;
    return flags === 0 ? 1 : flags & 0xff;
  }

  get durationMs(): number {
    return this.#once("durationMs", () => {
      const end = this.#evidence.nodes.reduce((latest, node) => Math.max(latest, node.end), 0);
      return Math.max(0, end - this.startUnixMs);
    });
  }

  get attributes(): ReadonlyMap<string, JsonValue> {
    return this.#once("attributes", () => runAttributes(this.#evidence.root, this.#options.kept));
  }

  get dialects(): readonly string[] {
    return this.#once("dialects", () => {
      const names = this.#evidence.nodes.flatMap(({ reading }) =>
        reading.dialects.adapters.map(({ dialect }) => dialect),
      );
      return distinct(names);
    });
  }

  get complete(): boolean {
    return this.#gaps.length === 0;
  }

  get #gaps(): readonly Missing[] {
    return this.#once("gaps", () => gapsOf(this.#evidence, this.#steps, this.answer));
  }

  get missing(): readonly Missing[] {
    return this.#once("missing", () => {
      const { query, answer, status, usage } = this;
      const known = { query, answer, failed: status === "error", inputTokens: usage.input };
      const gaps = this.#gaps;
      const told = new Set(gaps.map(({ what }) => what));
      const unknowns = [...unknownsOf(this.#evidence, known), ...unpricedOf(this.#priced)];
      return [...gaps, ...unknowns.filter(({ what }) => !(what === "answer" && told.has("end")))];
    });
  }

  get messages(): readonly Message[] {
    return this.#once("messages", () => {
      const last = this.#evidence.calls[this.#evidence.calls.length - 1];
      return last === undefined ? [] : [...last.inputs, ...last.outputs];
    });
  }

  get systemInstructions(): string | null {
    return this.#once("systemInstructions", () => {
      const first = this.#evidence.calls[0];
      if (first === undefined) return null;
      return first.node.text("instructions") ?? lastText(first.inputs, "system") ?? null;
    });
  }

  get toolDefinitions(): readonly JsonValue[] | null {
    return this.#once("toolDefinitions", () => {
      for (const node of this.#evidence.nodes) {
        const value = node.json("toolDefinitions");
        if (isArray(value)) return value;
      }
      return null;
    });
  }
}

interface PricedCall {
  readonly modelCall: ModelCall;
  /** The table that its price is from. */
  readonly source: string | null;
  /** What the table has no price for. */
  readonly unpriced: readonly string[];
}

/** A message in a transcript is known to be one call only by its usage. */
function isCounted(call: LlmCall): boolean {
  return !(call instanceof TranscriptCall) || call.counts.input !== undefined;
}

/** Agents that say their name come before spans that are only named. */
function firstAgent(evidence: Evidence): string | undefined {
  const agents = evidence.withRole("agent");
  const names = agents.map((node) => (node.has("agent") ? agentOfSpan(node) : undefined));
  return [...names, ...agents.map(agentOfSpan)].find((name) => name !== undefined);
}
