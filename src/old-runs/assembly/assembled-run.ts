import { isArray, type JsonValue } from "../../model/json.ts";
import type { Explanation } from "../../model/explanation.ts";
import type { Message } from "../../model/message.ts";
import type {
  AgentRun,
  CloseReason,
  Guardrail,
  Handoff,
  Missing,
  ModelCall,
  PlacedStep,
  Retrieval,
  TellsMissingValues,
  ToolCall,
  Usage,
} from "../../model/run.ts";
import type { SourceLine } from "../../model/source-line.ts";
import type { SpanView } from "../../model/telemetry/span-view.ts";
import { explainRun } from "../explain/explain-run.ts";
import type { Explained } from "../explain/explained.ts";
import type { LlmCall } from "../fragments/llm-call.ts";
import { TranscriptCall } from "../fragments/transcript-calls.ts";
import { sameAgent } from "../span/agent-name.ts";
import { answerOf, answerOfFailed } from "./answer.ts";
import { rootName } from "./attribution.ts";
import { instructedName, instructionsOf } from "./instructed-name.ts";
import { gapsOf, saysNothing } from "./completeness.ts";
import { conversationOf } from "./conversation.ts";
import { type Evidence, traceIdOf } from "./evidence.ts";
import { handoffsOffered } from "./handoffs-offered.ts";
import { type Coverage, coverageOf, runUsage } from "./llm-usage.ts";
import { missingDetails } from "./missing-details.ts";
import { missingValues } from "./missing-values.ts";
import { distinct, type Models, modelsOfCalls, noModels } from "./models.ts";
import { queryOf } from "./query.ts";
import { retrievalOf } from "./retrievals.ts";
import { runAttributes } from "./run-attributes.ts";
import { serviceTierOf } from "./service-tier.ts";
import { isDefaultService } from "../text/default-service.ts";
import { errorTextOf, failureOf, isTripped, statusOf } from "./status.ts";
import { toolsAround } from "./speakers.ts";
import { stepOrder } from "./step-order.ts";
import { readSteps, type Steps } from "./steps.ts";
import { plainAnswer } from "../text/wrapped-text.ts";
import type { StitchOptions } from "../stitching/stitch-options.ts";
import { durationBetween } from "./times.ts";
import { toolsOf } from "./tools.ts";
import { unansweredCall } from "./unanswered-call.ts";
import { unknownsOf, unpricedOf } from "./unknowns.ts";

/**
 * A run assembled from its evidence. What nearly every reader needs is a plain field, computed once in the constructor; what few need (retrievals,
 * messages, reasons for what is missing) is computed when first read, and retained.
 */
export class AssembledRun implements AgentRun, Explained, TellsMissingValues {
  readonly runId: string;
  readonly traceId: string;
  readonly rootSpanId: string;
  readonly closeReason: CloseReason;
  readonly service: string | null;
  readonly agent: string | null;
  readonly finalAgent: string | null;
  readonly query: string | null;
  readonly answer: string | null;
  readonly status: "ok" | "error" | null;
  readonly error: string | null;
  readonly complete: boolean;
  readonly tools: readonly ToolCall[];
  readonly handoffs: readonly Handoff[];
  readonly llmCalls: number | null;
  readonly llm: readonly ModelCall[];
  readonly usage: Usage;
  readonly totalTokens: number | null;
  readonly models: readonly string[];
  readonly responseModels: readonly string[];
  readonly costUsd: number | null;
  readonly priceSource: string | null;
  readonly startUnixMs: number;
  readonly durationMs: number;
  readonly rootEndUnixMs: number;
  readonly rootEndUnixNano: bigint;
  /** A span that was received was sampled; only a sender that sets flags can say otherwise. */
  readonly rootTraceFlags: number;
  readonly #evidence: Evidence;
  readonly #options: StitchOptions;
  readonly #steps: Steps;
  readonly #coverage: Coverage;
  readonly #priced: readonly PricedCall[];
  readonly #gaps: readonly Missing[];
  #conversationId: string | null | undefined;
  #missing: readonly Missing[] | undefined;
  #missingValues: readonly Missing[] | undefined;
  #attributes: ReadonlyMap<string, JsonValue> | undefined;
  #dialects: readonly string[] | undefined;
  #stepOrder: readonly PlacedStep[] | undefined;
  #retrievals: readonly Retrieval[] | undefined;
  #guardrails: readonly Guardrail[] | undefined;
  #handoffsAvailable: readonly string[] | null | undefined;
  #messages: readonly Message[] | undefined;
  #systemInstructions: string | null | undefined;
  #toolDefinitions: readonly JsonValue[] | null | undefined;

  constructor(evidence: Evidence, options: StitchOptions, closeReason: CloseReason) {
    const { root, nodes, allCalls } = evidence;
    this.#evidence = evidence;
    this.#options = options;
    this.traceId = evidence.fragments[0].traceId;
    this.rootSpanId = root.span.spanId;
    this.runId = `${this.traceId}-${this.rootSpanId}`;
    this.closeReason = closeReason;
    this.service = evidence.fragments[0].service;
    const steps = (this.#steps = readSteps(evidence));
    this.agent =
      firstAgent(evidence, steps) ??
      steps.namedAgent ??
      rootName(root) ??
      instructedName(evidence) ??
      (isDefaultService(this.service) ? null : this.service);
    this.tools = toolsOf(evidence, steps, this.agent);
    this.handoffs = handoffsOf(steps, this.agent);
    this.query = queryOf(evidence);
    const failure = failureOf(evidence);
    const answer = failure === undefined ? answerOf(evidence, steps) : answerOfFailed(evidence, failure);
    this.answer = answer === null ? null : plainAnswer(answer);
    const unanswered = unansweredCall(evidence, steps, this.answer);
    this.finalAgent = agentOf(unanswered ?? evidence.lastCall, steps) ?? this.agent;
    const isEmpty = saysNothing(evidence, steps, this.answer);
    this.status = isEmpty ? null : statusOf(evidence);
    this.error = this.status === "error" ? (errorTextOf(evidence) ?? null) : null;
    this.#gaps = gapsOf(evidence, steps, this.answer, isEmpty);
    this.complete = this.#gaps.length === 0;
    const models = modelsOfCalls(allCalls, evidence.records);
    this.#priced = allCalls.map((call, at) => this.#price(call, models[at] ?? noModels));
    this.llm = this.#priced.map(({ modelCall }) => modelCall);
    const coverage = (this.#coverage = coverageOf(evidence, steps, this, unanswered !== undefined));
    this.llmCalls = callCount(evidence, coverage);
    this.usage = runUsage(evidence, coverage, this.query);
    const { input, output } = this.usage;
    this.totalTokens = input === null || output === null ? null : input + output;
    const failed = new Set(evidence.failedCalls);
    const named = allCalls.length > 0 ? models : agentModels(evidence);
    this.models = distinct(named.map(({ request }) => request));
    this.responseModels = distinct(
      named.flatMap(({ response }, at) => (failed.has(allCalls[at] as LlmCall) ? [] : response)),
    );
    this.costUsd = sumOfCosts(this.llm);
    this.priceSource = this.#priced.find(({ source }) => source !== null)?.source ?? null;
    let start = root.start > 0 ? root.start : Infinity;
    let end = 0;
    for (const node of nodes) {
      if (node.start < start && node.start > 0) start = node.start;
      if (node.end > end) end = node.end;
    }
    this.startUnixMs = start === Infinity ? end : start;
    this.durationMs = Math.max(0, end - this.startUnixMs);
    this.rootEndUnixMs = root.end;
    this.rootEndUnixNano = root.span.endUnixNano;
    const { flags = 0 } = root.span;
    this.rootTraceFlags = flags === 0 ? 1 : flags & 0xff;
  }

  explain(): Explanation[] {
    return explainRun(this, this.#evidence, this.#steps);
  }

  get source(): SourceLine | undefined {
    return this.#evidence.root.span.source;
  }

  get spans(): readonly SpanView[] {
    return this.#evidence.nodes.map(({ span }) => span);
  }

  get traceIds(): readonly string[] {
    const { fragments } = this.#evidence;
    return fragments.length === 1 ? [this.traceId] : [...new Set(fragments.map(({ traceId }) => traceId))];
  }

  get conversationId(): string | null {
    if (this.#conversationId === undefined) this.#conversationId = conversationOf(this.#evidence) ?? null;
    return this.#conversationId;
  }

  get handoffsAvailable(): readonly string[] | null {
    if (this.#handoffsAvailable === undefined)
      this.#handoffsAvailable = handoffsOffered(this.#evidence.nodes, this.handoffs);
    return this.#handoffsAvailable;
  }

  get stepOrder(): readonly PlacedStep[] {
    return (this.#stepOrder ??= stepOrder(this.#evidence, this.#steps.steps, this.handoffs));
  }

  get retrievals(): readonly Retrieval[] {
    return (this.#retrievals ??= this.#evidence.retrieverNodes.map(retrievalOf));
  }

  get guardrails(): readonly Guardrail[] {
    return (this.#guardrails ??= this.#evidence.guardrailNodes.map((node) => ({
      spanId: node.span.spanId,
      name: node.text("guardrail") ?? node.span.name,
      triggered: node.reading.boolean("triggered") ?? (isTripped(node) ? true : null),
    })));
  }

  #price(call: LlmCall, { request, response }: Models): PricedCall {
    const { usage } = call;
    const model = response ?? request;
    const tier = serviceTierOf(call);
    const own = call.node.number("cost");
    const price =
      own !== undefined || model === null || usage.input === null
        ? null
        : this.#options.price?.(call.field("provider") ?? null, model, usage, call.start, tier);
    const modelCall: ModelCall & { serviceTier?: string } = {
      spanId: call.node.span.spanId,
      traceId: traceIdOf(call.node, this.#evidence),
      agent: this.#steps.agentOfCall.get(call) ?? this.agent,
      model: request,
      responseModel: response,
      finishReason: call.finish,
      responseId: call.field("responseId") ?? null,
      usage,
      costUsd: own ?? price?.usd ?? null,
      startUnixMs: call.isTimed ? call.start : null,
      durationMs: call.isTimed ? durationBetween(call.node, call.node) : null,
      error: call.failure,
    };
    if (tier !== null) modelCall.serviceTier = tier;
    return { modelCall, source: price?.source ?? null, unpriced: price?.unpriced ?? [] };
  }

  get attributes(): ReadonlyMap<string, JsonValue> {
    return (this.#attributes ??= runAttributes(this.#evidence.root, this.#options.kept));
  }

  get dialects(): readonly string[] {
    return (this.#dialects ??= dialectsOf(this.#evidence));
  }

  get missing(): readonly Missing[] {
    return (this.#missing ??= [...this.missingValues, ...missingDetails(this, this.#evidence)]);
  }

  get missingValues(): readonly Missing[] {
    if (this.#missingValues === undefined) {
      const hasNoEnd = this.#gaps.some(({ what }) => what === "end");
      const unknowns = [
        ...missingValues(this, this.#evidence, this.#coverage),
        ...unknownsOf(this.#evidence),
        ...unpricedOf(this.#priced),
      ].filter(({ what }) => !(what === "answer" && hasNoEnd));
      this.#missingValues = [...this.#gaps, ...unknowns];
    }
    return this.#missingValues;
  }

  get messages(): readonly Message[] {
    const last = this.#evidence.calls[this.#evidence.calls.length - 1];
    return (this.#messages ??= last === undefined ? [] : [...last.inputs, ...last.outputs]);
  }

  get systemInstructions(): string | null {
    this.#systemInstructions ??= instructionsOf(this.#evidence);
    return this.#systemInstructions;
  }

  get toolDefinitions(): readonly JsonValue[] | null {
    if (this.#toolDefinitions === undefined) {
      const lists = this.#evidence.nodes.map((node) => node.json("toolDefinitions"));
      this.#toolDefinitions = lists.find((list) => isArray(list)) ?? null;
    }
    return this.#toolDefinitions;
  }
}

interface PricedCall {
  readonly modelCall: ModelCall;
  /** The table that its price is from. */
  readonly source: string | null;
  /** What the table has no price for. */
  readonly unpriced: readonly string[];
}

/** Completions served; null when the telemetry may leave calls out. A message in a transcript is known to be one call only by its usage. */
function callCount({ calls }: Evidence, coverage: Coverage): number | null {
  if (coverage === "zero") return 0;
  if (coverage !== "all") return null;
  const isCounted = (call: LlmCall): boolean =>
    !(call instanceof TranscriptCall) || call.counts.input !== undefined;
  return calls.every(isCounted) ? calls.reduce((sum, call) => sum + call.completions, 0) : null;
}

/** The agent of the first model call, else of the first agent's span; names in attributes come before names of spans. */
function firstAgent({ root, allCalls, agentNodes }: Evidence, steps: Steps): string | null | undefined {
  const [first] = allCalls;
  if (steps.outerAgent !== undefined) return steps.outerAgent;
  // Within a tool's span another agent works for the run's.
  if (first !== undefined && first.node !== root && toolsAround().of(first.node.parent) !== undefined)
    return undefined;
  if (first !== undefined) return steps.agentOfCall.get(first);
  const declared = agentNodes.find((node) => node.has("agent") && node.agentName !== undefined);
  return (declared ?? agentNodes.find(({ agentName }) => agentName !== undefined))?.agentName;
}

function agentOf(call: LlmCall | undefined, steps: Steps): string | null | undefined {
  return call === undefined ? undefined : steps.agentOfCall.get(call);
}

/** Hand-offs from one agent to another; the run's agent is the source where no span names one. */
function handoffsOf({ handoffs }: Steps, agent: string | null): Handoff[] {
  return handoffs
    .map((handoff) => (handoff.from === null ? { ...handoff, from: agent } : handoff))
    .filter(({ from, to }) => from === null || !sameAgent(from, to));
}

/** Where no model call is in the data: the models that the agents' spans name. */
function agentModels({ agentNodes }: Evidence): Models[] {
  return agentNodes.map((node) => {
    const response = node.text("responseModel") ?? node.text("model") ?? null;
    return { request: node.text("requestModel") ?? response, response };
  });
}

function sumOfCosts(calls: readonly ModelCall[]): number | null {
  let sum = 0;
  for (const { costUsd, error } of calls) {
    if (costUsd === null && error === null) return null;
    sum += costUsd ?? 0;
  }
  return calls.length === 0 ? null : sum;
}

function dialectsOf({ nodes }: Evidence): string[] {
  const names = new Set<string>();
  for (const { reading } of nodes) for (const { dialect } of reading.dialects.adapters) names.add(dialect);
  return [...names];
}
