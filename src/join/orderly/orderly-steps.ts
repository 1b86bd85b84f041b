import type { PlainCall } from "../../adapt/orderly/plain-call.ts";
import { readTool } from "../../adapt/read-tool.ts";
import type { JsonValue } from "../../model/json.ts";
import type { ModelCall, ToolCall, Usage } from "../../model/run.ts";
import type { Models } from "../models.ts";
import { betterArguments } from "../tool-use.ts";
import type { Cost } from "./call-facts.ts";
import type { OrderlyUse } from "./orderly-uses.ts";

/** A run that can also be read as any other is. */
interface WholeRun {
  readonly whole: { readonly tools: readonly ToolCall[] };
}

/** A tool's use; what is asked for seldom is read from its span then. */
export class OrderlyTool implements ToolCall {
  readonly name: string;
  readonly error: string | null;
  readonly agent: string;
  readonly executed = true;
  readonly retried: boolean;
  readonly #use: OrderlyUse;
  readonly #run: WholeRun;
  readonly #at: number;

  /** `run`: the one whose tool number `at` it is. */
  constructor(use: OrderlyUse, agent: string, retried: boolean, run: WholeRun, at: number) {
    this.name = use.name;
    this.error = use.error;
    this.agent = agent;
    this.retried = retried;
    this.#use = use;
    this.#run = run;
    this.#at = at;
  }

  get spanId(): string {
    return this.#use.tool.span.spanId;
  }

  get traceId(): string {
    return this.#use.tool.span.traceId;
  }

  get callId(): string | null {
    return this.#use.callId;
  }

  get startUnixMs(): number {
    return this.#use.tool.start;
  }

  get durationMs(): number {
    const { start, end } = this.#use.tool;
    return end - start;
  }

  get arguments(): JsonValue | undefined {
    const { tool, asking } = this.#use;
    const request = asking?.call.requests.find(({ id }) => id === this.callId);
    return betterArguments(request?.arguments, readTool(tool.piece).arguments);
  }

  /** A text may be cut off in the span and whole in the history. */
  get result(): JsonValue | undefined {
    if (this.error !== null) return undefined;
    const { tool, asking } = this.#use;
    const { result } = readTool(tool.piece);
    if (asking === undefined || typeof result !== "string") return result;
    const whole = this.#run.whole.tools[this.#at];
    return whole === undefined ? result : whole.result;
  }
}

export class OrderlyCall implements ModelCall {
  readonly spanId: string;
  readonly traceId: string;
  readonly agent: string;
  readonly model: string | null;
  readonly responseModel: string | null;
  readonly usage: Usage;
  readonly costUsd: number | null;
  readonly startUnixMs: number;
  readonly durationMs: number;
  readonly error = null;
  readonly #call: PlainCall;

  constructor(call: PlainCall, agent: string, { request, response }: Models, usage: Usage, cost: Cost) {
    this.spanId = call.span.spanId;
    this.traceId = call.span.traceId;
    this.agent = agent;
    this.model = request;
    this.responseModel = response;
    this.usage = usage;
    this.costUsd = cost.usd;
    this.startUnixMs = call.start;
    this.durationMs = call.end - call.start;
    this.#call = call;
  }

  get finishReason(): string | null {
    return this.#call.finish;
  }

  get responseId(): string | null {
    return this.#call.responseId ?? null;
  }
}
