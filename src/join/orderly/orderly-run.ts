import type { Fragment } from "../../adapt/fragment.ts";
import type { Call } from "../../adapt/call.ts";
import type { Piece } from "../../adapt/piece.ts";
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
import { distinct, type Models, modelsOf } from "../models.ts";
import { queryOf } from "../query.ts";
import { Records } from "../records.ts";
import { runAttributes } from "../run-attributes.ts";
import { sumOfCalls } from "../tokens.ts";
import { sameTool } from "../tool-uses.ts";
import { unknownsOf } from "../unknowns.ts";
import { type Cost, costOf, OrderlyCall, OrderlyTool } from "./orderly-steps.ts";
import type { OrderlyFacts } from "./orderly-uses.ts";

const none: readonly never[] = [];
const noRecords = new Records([]);

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
  readonly #options: JoinOptions;
  #whole: AssembledRun | undefined;
  #query: string | null | undefined;
  #answer: string | null | undefined;
  #tools: readonly ToolCall[] | undefined;
  #llm: readonly OrderlyCall[] | undefined;
  #models: readonly Models[] | undefined;
  #costs: readonly Cost[] | undefined;
  #usage: Usage | undefined;
  #attributes: ReadonlyMap<string, JsonValue> | undefined;
  #missing: readonly Missing[] | undefined;
  #dialects: readonly string[] | undefined;
  #conversation: string | null | undefined;

  constructor(fragment: Fragment, facts: OrderlyFacts, options: JoinOptions, closeReason: CloseReason) {
    this.#fragment = fragment;
    this.#facts = facts;
    this.#options = options;
    const { span } = facts.root;
    this.traceId = span.traceId;
    this.rootSpanId = span.spanId;
    this.runId = `${span.traceId}-${span.spanId}`;
    this.closeReason = closeReason;
    this.agent = facts.agent;
    this.startUnixMs = startOf(facts.root, fragment.pieces);
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
    return this.pieces.map(({ span }) => span);
  }

  get root(): Piece {
    return this.#facts.root;
  }

  get pieces(): readonly Piece[] {
    return this.#fragment.pieces;
  }

  get calls(): readonly Call[] {
    return this.#facts.calls;
  }

  get failedCalls(): readonly Call[] {
    return none;
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
    if (this.#conversation === undefined) this.#conversation = conversationOf(this.pieces) ?? null;
    return this.#conversation;
  }

  get query(): string | null {
    if (this.#query === undefined) this.#query = queryOf(this);
    return this.#query;
  }

  get answer(): string | null {
    if (this.#answer === undefined) {
      const last = this.calls[this.calls.length - 1];
      this.#answer = last?.text ?? pieceAnswer(this.root) ?? (last && emptyAnswer(last)) ?? null;
    }
    return this.#answer;
  }

  get tools(): readonly ToolCall[] {
    return (this.#tools ??= this.#readTools());
  }

  #readTools(): readonly ToolCall[] {
    const { uses } = this.#facts;
    return uses.map((use, at) => {
      const retried =
        use.error !== null && uses.some((other, index) => index > at && sameTool(other.name, use.name));
      return new OrderlyTool(use, this.agent, retried, this, at);
    });
  }

  get llmCalls(): number {
    return this.calls.length;
  }

  get #modelsOfCalls(): readonly Models[] {
    return (this.#models ??= this.calls.map((call) => modelsOf(call, noRecords)));
  }

  get #costsOfCalls(): readonly Cost[] {
    if (this.#costs === undefined) {
      const models = this.#modelsOfCalls;
      const { price } = this.#options;
      this.#costs = this.calls.map((call, at) => costOf(call, models[at] as Models, price));
    }
    return this.#costs;
  }

  get llm(): readonly OrderlyCall[] {
    return (this.#llm ??= this.calls.map(
      (call, at) =>
        new OrderlyCall(call, this.agent, this.#modelsOfCalls[at] as Models, this.#costsOfCalls[at] as Cost),
    ));
  }

  get usage(): Usage {
    return (this.#usage ??= sumOfCalls(this.calls));
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
    return this.root.end;
  }

  /** A span that reached us was sampled; only a sender that sets flags can say otherwise. */
  get rootTraceFlags(): number {
    const { flags = 0 } = this.root.span;
    return flags === 0 ? 1 : flags & 0xff;
  }

  get durationMs(): number {
    let end = 0;
    for (const piece of this.pieces) if (piece.end > end) end = piece.end;
    return Math.max(0, end - this.startUnixMs);
  }

  get attributes(): ReadonlyMap<string, JsonValue> {
    return (this.#attributes ??= runAttributes(this.root, this.#options.kept));
  }

  get dialects(): readonly string[] {
    return (this.#dialects ??= distinct(
      this.pieces.flatMap(({ reading }) => reading.dialects.adapters.map(({ dialect }) => dialect)),
    ));
  }

  get missing(): readonly Missing[] {
    return (this.#missing ??= unknownsOf(this, {
      query: this.query,
      answer: this.answer,
      failed: false,
      inputTokens: this.usage.input,
    }));
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

function startOf(root: Piece, pieces: readonly Piece[]): number {
  let { start } = root;
  for (const piece of pieces) if (piece.start < start) start = piece.start;
  return start;
}
