import { timeOfRun } from "./results/time-of-run.ts";
import type { JsonValue } from "../model/json.ts";
import type { Explanation } from "../model/explanation.ts";
import type { Message } from "../model/message.ts";
import type {
  AgentRun,
  CloseReason,
  Guardrail,
  Handoff,
  KnowsSettings,
  Missing,
  ModelCall,
  PlacedStep,
  RecordingSetting,
  Retrieval,
  TellsMissingValues,
  ToolCall,
  Usage,
} from "../model/run.ts";
import type { HoldsExchanges, RecordedExchange } from "../model/model-exchange.ts";
import type { SourceLine } from "../model/source-line.ts";
import type { SpanView } from "../model/telemetry/span-view.ts";
import type { Evidence } from "./evidence.ts";
import { explainRun } from "./explain/explain-run.ts";
import type { Explained } from "./explain/explained.ts";
import { F } from "./facts/fields.ts";
import { settingsOf } from "./facts/producers.ts";
import { gapsOf, saysNothing, unknownEndOf, unknownsOf, unpricedOf } from "./gaps/gaps.ts";
import { type Loss, lossOf } from "./gaps/lost-calls.ts";
import { unansweredCall } from "./gaps/scope-losses.ts";
import { missingDetails } from "./gaps/missing-details.ts";
import { missingValues } from "./gaps/missing-values.ts";
import { readSteps, type Steps } from "./ledger/steps.ts";
import { plainAnswer } from "./notations/words.ts";
import { answerOf, answerOfFailed } from "./results/answer.ts";
import { beginOfAnswer } from "./results/speakers.ts";
import { coveringCalls, lastCallOf } from "./results/covering-calls.ts";
import {
  conversationOf,
  dialectsOf,
  handoffsOffered,
  retrievalOf,
  runAttributes,
} from "./results/details.ts";
import type { KeptAttributes } from "./results/kept-attributes.ts";
import {
  agentModels,
  distinct,
  modelsOfCalls,
  type Price,
  type PricedCall,
  pricedCalls,
  costOfRun,
} from "./results/model-calls.ts";
import { queryOf } from "./results/query.ts";
import { endOf, isWithoutEnd, errorTextOf, failureOf, isTripped } from "./results/status.ts";
import { declaredTools } from "./results/exchange-parts.ts";
import { recordedExchanges } from "./results/exchanges.ts";
import { stepOrder } from "./results/step-order.ts";
import { toolsOf } from "./results/tools.ts";
import { callCount, type Coverage, isWithoutCall, runUsage } from "./results/usage.ts";
import { plainMessage } from "./calls/span-messages.ts";
import { sameAgent } from "./who/agent-name.ts";
import { agentOfRun, instructionsOf, lastAgentOf, serviceAsAgent } from "./who/run-agent.ts";

/** Inputs for assembling a run, in addition to its evidence. */
export interface RunOptions {
  /** Attributes of the resource and the root span to copy onto the run. */
  readonly kept: KeptAttributes;
  readonly price?: Price | undefined;
}

/**
 * A run that is assembled from its evidence. The constructor computes the fields that most callers need; other fields, such as retrievals,
 * messages and `missing`, are computed when they are read.
 */
export class AssembledRun implements AgentRun, TellsMissingValues, KnowsSettings, Explained, HoldsExchanges {
  runId: string;
  /** Ids of earlier published versions of this run. Callers set `replaces` and `runId` together, before they publish the run. */
  replaces?: readonly string[];
  readonly traceId: string;
  readonly rootSpanId: string;
  readonly closeReason: CloseReason;
  readonly service: string | null;
  readonly agent: string | null;
  readonly isNamedByService?: true;
  readonly finalAgent: string | null;
  readonly query: string | null;
  readonly answer: string | null;
  readonly answerBegin?: string;
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
  /** Trace flags of the root span. A root without flags counts as sampled. */
  readonly rootTraceFlags: number;
  readonly evidence: Evidence;
  readonly steps: Steps;
  readonly #options: RunOptions;
  readonly #coverage: Coverage;
  readonly #loss: Loss | null;
  readonly #priced: readonly PricedCall[];
  readonly #gaps: readonly Missing[];
  #missing: readonly Missing[] | null = null;
  #missingValues: readonly Missing[] | null = null;
  #attributes: ReadonlyMap<string, JsonValue> | null = null;
  #retrievals: readonly Retrieval[] | undefined;
  #conversationId: string | null | undefined;

  constructor(evidence: Evidence, options: RunOptions, closeReason: CloseReason) {
    const { root, allCalls, calls } = evidence;
    this.evidence = evidence;
    this.#options = options;
    const [fragment] = evidence.fragments;
    this.traceId = fragment.traceId;
    this.rootSpanId = root.span.spanId;
    this.runId = `${this.traceId}-${this.rootSpanId}`;
    this.closeReason = closeReason;
    this.service = fragment.service;
    const covering = coveringCalls(evidence);
    const last = lastCallOf(evidence, covering);
    const steps = (this.steps = readSteps(evidence, last));
    const named = agentOfRun(evidence, steps);
    this.agent = named ?? serviceAsAgent(evidence);
    if (named === null && this.agent !== null) this.isNamedByService = true;
    this.tools = toolsOf(evidence, steps.uses, this.agent);
    this.handoffs = this.#handoffsOf(steps);
    this.query = queryOf(evidence);
    const failure = failureOf(evidence);
    const answer =
      failure === null ? answerOf(evidence, steps.uses, last) : answerOfFailed(evidence, failure, last);
    this.answer = answer === null ? null : plainAnswer(answer);
    const mayHaveBegun = answer === null && failure === null && (last === null || last.requests.length === 0);
    const begin = mayHaveBegun ? beginOfAnswer(evidence) : null;
    if (begin !== null) this.answerBegin = begin;
    const ending = unansweredCall(evidence, steps.uses, this.answer) ?? last;
    this.finalAgent = ending?.agent ?? lastAgentOf(evidence, steps) ?? this.agent;
    const isEmpty = saysNothing(evidence, steps.uses, this.answer, failure);
    this.error = failure === null || isEmpty ? null : errorTextOf(evidence, failure);
    const loss =
      calls.length === 0
        ? null
        : lossOf(evidence, { steps, query: this.query, answer: this.answer, failure });
    this.#loss = loss;
    const isEndLost = failure === null && loss?.isAtEnd === true && isWithoutEnd(evidence, this.answer);
    this.status = isEmpty || isEndLost ? null : failure === null ? endOf(evidence, this.answer) : "error";
    this.#gaps = gapsOf(evidence, { uses: steps.uses, answer: this.answer, failure, isEmpty, isEndLost });
    this.complete = this.#gaps.length === 0;
    const models = modelsOfCalls(allCalls, evidence);
    this.#priced = pricedCalls(allCalls, models, evidence, this.agent, options.price);
    this.llm = this.#priced.map(({ modelCall }) => modelCall);
    this.#coverage =
      calls.length === 0
        ? isWithoutCall(evidence, this.answer !== null, failure)
          ? "zero"
          : "none"
        : covering.size > 0
          ? "covered"
          : this.#loss !== null
            ? "lost"
            : calls.some(({ turns }) => turns.length > 0)
              ? "counted"
              : "all";
    this.llmCalls = callCount(calls, this.#coverage);
    const isAlone = steps.handoffs.length === 0 && steps.uses.every(({ target }) => target === null);
    this.usage = runUsage(evidence, this.#coverage, isAlone);
    const { input, output } = this.usage;
    this.totalTokens = input === null || output === null ? null : input + output;
    const modelled = allCalls.length > 0 ? models : agentModels(evidence);
    this.models = distinct(modelled.map(({ request }) => request));
    this.responseModels = distinct(
      modelled.map(({ response }, at) =>
        allCalls[at] !== undefined && evidence.failedCalls.includes(allCalls[at]) ? null : response,
      ),
    );
    this.costUsd = costOfRun(this.llm, this.usage, this.#coverage === "all");
    this.priceSource = this.#priced.find(({ source }) => source !== null)?.source ?? null;
    const { startUnixMs, durationMs } = timeOfRun(evidence);
    this.startUnixMs = startUnixMs;
    this.durationMs = durationMs;
    this.rootEndUnixMs = root.end;
    this.rootEndUnixNano = root.span.endUnixNano;
    const { flags = 0 } = root.span;
    this.rootTraceFlags = flags === 0 ? 1 : flags & 0xff;
  }

  #handoffsOf({ handoffs }: Steps): Handoff[] {
    const { agent } = this;
    return handoffs
      .map(({ at: _at, ...handoff }) => (handoff.from === null ? { ...handoff, from: agent } : handoff))
      .filter(({ from, to }) => from === null || !sameAgent(from, to));
  }

  get source(): SourceLine | undefined {
    return this.evidence.root.span.source;
  }

  get spans(): readonly SpanView[] {
    return this.evidence.nodes.map(({ span }) => span);
  }

  get traceIds(): readonly string[] {
    const { fragments } = this.evidence;
    return fragments.length === 1 ? [this.traceId] : [...new Set(fragments.map(({ traceId }) => traceId))];
  }

  get conversationId(): string | null {
    if (this.#conversationId === undefined) this.#conversationId = conversationOf(this.evidence);
    return this.#conversationId;
  }

  get handoffsAvailable(): readonly string[] | null {
    return handoffsOffered(this.evidence.nodes, this.handoffs);
  }

  get stepOrder(): readonly PlacedStep[] {
    return stepOrder(this.evidence, this.steps.uses, this.steps.handoffs);
  }

  get retrievals(): readonly Retrieval[] {
    return (this.#retrievals ??= this.evidence.retrieverNodes.map(retrievalOf));
  }

  get guardrails(): readonly Guardrail[] {
    return this.evidence.guardrailNodes.map((node) => ({
      spanId: node.span.spanId,
      name: node.textAt(F.guardrail) ?? node.span.name,
      triggered: node.booleanAt(F.triggered) ?? (isTripped(node) ? true : null),
    }));
  }

  get attributes(): ReadonlyMap<string, JsonValue> {
    return (this.#attributes ??= runAttributes(this.evidence.root, this.#options.kept));
  }

  get dialects(): readonly string[] {
    return dialectsOf(this.evidence);
  }

  get settings(): readonly RecordingSetting[] {
    return settingsOf(this.evidence.nodes);
  }

  get missing(): readonly Missing[] {
    return (this.#missing ??= [...this.missingValues, ...missingDetails(this, this.evidence)]);
  }

  get missingValues(): readonly Missing[] {
    if (this.#missingValues === null) {
      const ends = this.#gaps.some(({ what }) => what === "end") ? [] : unknownEndOf(this, this.evidence);
      const hasNoEnd = ends.length > 0 || this.#gaps.some(({ what }) => what === "end");
      const impossible = this.#priced.filter(({ isImpossible }) => isImpossible).length;
      const impossibleCost = `${impossible} of ${this.llm.length} model calls report a cost that is negative or not finite`;
      const unknowns = [
        ...missingValues(this, this.evidence, this.#coverage, this.#loss),
        ...unknownsOf(this.evidence),
        ...unpricedOf(this.#priced),
      ]
        .filter(({ what }) => !(what === "answer" && hasNoEnd))
        .map((one) => (one.what === "cost" && impossible > 0 ? { ...one, why: impossibleCost } : one));
      this.#missingValues = [...this.#gaps, ...ends, ...unknowns];
    }
    return this.#missingValues;
  }

  explain(): Explanation[] {
    return explainRun(this, this.evidence, this.steps);
  }

  get exchanges(): readonly RecordedExchange[] {
    return recordedExchanges(this.evidence.allCalls, this.llm, this);
  }

  get messages(): readonly Message[] {
    const { calls } = this.evidence;
    const last = calls[calls.length - 1];
    return last === undefined ? [] : [...last.inputs, ...last.outputs].map(plainMessage);
  }

  get systemInstructions(): string | null {
    return instructionsOf(this.evidence);
  }

  get toolDefinitions(): readonly JsonValue[] | null {
    for (const node of this.evidence.nodes) {
      const value = node.valueAt(F.toolDefinitions);
      const list = value === undefined ? null : declaredTools(value);
      if (list !== null) return list;
    }
    return null;
  }
}
