import type { Fragment } from "../../adapt/fragment.ts";
import { fieldIndex } from "../../adapt/fields.ts";
import type { Orderly } from "../../adapt/orderly/orderly.ts";
import type { PlainCall } from "../../adapt/orderly/plain-call.ts";
import type { Explanation } from "../../model/explanation.ts";
import type { JsonValue } from "../../model/json.ts";
import type { Message } from "../../model/message.ts";
import type {
  AgentRun,
  CloseReason,
  Guardrail,
  Handoff,
  Missing,
  Retrieval,
  ToolCall,
  Usage,
} from "../../model/run.ts";
import type { SpanView } from "../../model/span-view.ts";
import { emptyAnswer, pieceAnswer } from "../answer.ts";
import { AssembledRun } from "../assembled-run.ts";
import { conversationOf } from "../conversation.ts";
import { Evidence } from "../evidence.ts";
import type { Explained } from "../explain/explained.ts";
import type { JoinOptions } from "../join-options.ts";
import { distinct, type Models } from "../models.ts";
import { LaterUses } from "../later-uses.ts";
import { firstUserText, pieceQuery, queryAmong } from "../query.ts";
import { attributesDownTo } from "../run-attributes.ts";
import { sumOfPlain } from "../tokens.ts";
import { unknownsAmong } from "../unknowns.ts";
import { type Cost, costOfPlain, modelsOfPlain, usageOfPlain } from "./call-facts.ts";
import { OrderlyCall, OrderlyTool } from "./orderly-steps.ts";
import type { OrderlyFacts } from "./orderly-uses.ts";

const none: readonly never[] = [];
const INPUT_MESSAGES = fieldIndex("inputMessages");
const OUTPUT_MESSAGES = fieldIndex("outputMessages");

/**
 * The run of one agent that did what it was asked and ended: what is mostly asked of it is read straight from its spans, the rest as of
 * any other run. Whoever asks cannot tell the two apart.
 */
export class OrderlyRun implements AgentRun, Explained {
  readonly runId: string;
  readonly traceId: string;
  readonly rootSpanId: string;
  readonly closeReason: CloseReason;
  readonly agent: string;
  readonly startUnixMs: number;
  readonly status = "ok";
  readonly complete = true;
  readonly handoffs: readonly Handoff[] = none;
  readonly retrievals: readonly Retrieval[] = none;
  readonly guardrails: readonly Guardrail[] = none;
  readonly #fragment: Fragment;
  readonly #facts: OrderlyFacts;
  readonly #orderly: Orderly;
  readonly #options: JoinOptions;
  #whole: AssembledRun | undefined;
  #query: string | null | undefined;
  #answer: string | null | undefined;
  #tools: readonly ToolCall[] | undefined;
  #llm: readonly OrderlyCall[] | undefined;
  #models: readonly Models[] | undefined;
  #costs: readonly Cost[] | undefined;
  #usagesOfCalls: readonly Usage[] | undefined;
  #usage: Usage | undefined;
  #attributes: ReadonlyMap<string, JsonValue> | undefined;
  #missing: readonly Missing[] | undefined;
  #dialects: readonly string[] | undefined;
  #conversation: string | null | undefined;

  constructor(fragment: Fragment, facts: OrderlyFacts, options: JoinOptions, closeReason: CloseReason) {
    this.#fragment = fragment;
    this.#facts = facts;
    this.#options = options;
    this.#orderly = facts.orderly;
    const { root, spans } = facts.orderly;
    const { span } = root;
    this.traceId = span.traceId;
    this.rootSpanId = span.spanId;
    this.runId = `${span.traceId}-${span.spanId}`;
    this.closeReason = closeReason;
    this.agent = facts.agent;
    this.startUnixMs = spans[0]?.startUnixMs ?? root.start;
  }

  /** The same run, read as any other is. */
  get whole(): AssembledRun {
    return (this.#whole ??= new AssembledRun(
      new Evidence([this.#fragment]),
      this.#options,
      this.closeReason,
    ));
  }

  explain(): Explanation[] {
    return this.whole.explain();
  }

  get spans(): readonly SpanView[] {
    return this.#orderly.spans;
  }

  get traceIds(): readonly string[] {
    return [this.traceId];
  }

  get service(): string | null {
    return this.#fragment.service;
  }

  get finalAgent(): string {
    return this.agent;
  }

  get conversationId(): string | null {
    if (this.#conversation === undefined) this.#conversation = conversationOf(this.#fragment.pieces) ?? null;
    return this.#conversation;
  }

  get query(): string | null {
    if (this.#query === undefined) this.#query = this.#readQuery();
    return this.#query;
  }

  #readQuery(): string | null {
    const { root, calls } = this.#orderly;
    const asked = root.words(INPUT_MESSAGES, "user") ?? pieceQuery(root.piece);
    const first = calls[0];
    const sent = first === undefined || isSilent(first, INPUT_MESSAGES) ? undefined : sentTo(first);
    return queryAmong(asked, sent, root.adapters) ?? null;
  }

  get answer(): string | null {
    if (this.#answer === undefined) {
      const { calls } = this.#orderly;
      const last = calls[calls.length - 1];
      const said = last?.words(OUTPUT_MESSAGES, "assistant");
      this.#answer = said ?? this.#readAnswer();
    }
    return this.#answer;
  }

  #readAnswer(): string | null {
    const { root, calls } = this.#orderly;
    const last = calls[calls.length - 1];
    const call = last === undefined || isSilent(last, OUTPUT_MESSAGES) ? undefined : last.call;
    const own = call?.text ?? root.words(OUTPUT_MESSAGES, "assistant") ?? pieceAnswer(root.piece);
    return own ?? (call && emptyAnswer(call)) ?? null;
  }

  get tools(): readonly ToolCall[] {
    return (this.#tools ??= this.#readTools());
  }

  #readTools(): readonly ToolCall[] {
    const { uses } = this.#facts;
    let later: LaterUses | undefined;
    return uses.map((use, at) => {
      const retried =
        use.error !== null && (later ??= new LaterUses(uses.map(({ name }) => name))).has(use.name, at);
      return new OrderlyTool(use, this.agent, retried, this, at);
    });
  }

  get llmCalls(): number {
    return this.#orderly.calls.length;
  }

  get #modelsOfCalls(): readonly Models[] {
    return (this.#models ??= this.#orderly.calls.map(modelsOfPlain));
  }

  get #usages(): readonly Usage[] {
    return (this.#usagesOfCalls ??= this.#orderly.calls.map(usageOfPlain));
  }

  get #costsOfCalls(): readonly Cost[] {
    if (this.#costs === undefined) {
      const models = this.#modelsOfCalls;
      const usages = this.#usages;
      const { price } = this.#options;
      this.#costs = this.#orderly.calls.map((call, at) =>
        costOfPlain(call, models[at] as Models, usages[at] as Usage, price),
      );
    }
    return this.#costs;
  }

  get llm(): readonly OrderlyCall[] {
    return (this.#llm ??= this.#orderly.calls.map((call, at) => this.#readCall(call, at)));
  }

  #readCall(call: PlainCall, at: number): OrderlyCall {
    const models = this.#modelsOfCalls[at] as Models;
    return new OrderlyCall(
      call,
      this.agent,
      models,
      this.#usages[at] as Usage,
      this.#costsOfCalls[at] as Cost,
    );
  }

  get usage(): Usage {
    return (this.#usage ??= sumOfPlain(this.#usages));
  }

  get totalTokens(): number | null {
    const { input, output } = this.usage;
    return input === null || output === null ? null : input + output;
  }

  get models(): readonly string[] {
    return distinct(this.#modelsOfCalls.map(({ request }) => request));
  }

  get responseModels(): readonly string[] {
    return distinct(this.#modelsOfCalls.map(({ response }) => response));
  }

  get costUsd(): number | null {
    let sum = 0;
    for (const { usd } of this.#costsOfCalls) {
      if (usd === null) return null;
      sum += usd;
    }
    return sum;
  }

  get priceSource(): string | null {
    for (const { source } of this.#costsOfCalls) if (source !== null) return source;
    return null;
  }

  get rootEndUnixMs(): number {
    return this.#orderly.root.end;
  }

  /** A span that reached us was sampled; only a sender that sets flags can say otherwise. */
  get rootTraceFlags(): number {
    const { flags = 0 } = this.#orderly.root.span;
    return flags === 0 ? 1 : flags & 0xff;
  }

  get durationMs(): number {
    let end = 0;
    for (const { endUnixMs } of this.spans) if (endUnixMs > end) end = endUnixMs;
    return Math.max(0, end - this.startUnixMs);
  }

  get attributes(): ReadonlyMap<string, JsonValue> {
    return (this.#attributes ??= attributesDownTo(this.#orderly.above, this.#options.kept));
  }

  get dialects(): readonly string[] {
    return (this.#dialects ??= distinct(
      this.#orderly.dialects.flatMap(({ adapters }) => adapters.map(({ dialect }) => dialect)),
    ));
  }

  get missing(): readonly Missing[] {
    return (this.#missing ??= unknownsAmong(
      { worked: true, differing: 0, spans: this.spans },
      { query: this.query, answer: this.answer, failed: false, inputTokens: this.usage.input },
    ));
  }

  get handoffsAvailable(): readonly string[] | null {
    return this.whole.handoffsAvailable;
  }

  get messages(): readonly Message[] {
    return this.whole.messages;
  }

  get systemInstructions(): string | null {
    return this.whole.systemInstructions;
  }

  get toolDefinitions(): readonly JsonValue[] | null {
    return this.whole.toolDefinitions;
  }
}

function sentTo(first: PlainCall): string | undefined {
  return first.words(INPUT_MESSAGES, "user") ?? firstUserText(first.call);
}

/** It has no messages of the kind. */
function isSilent(call: PlainCall, field: number): boolean {
  return call.isBare && !call.has(field);
}
