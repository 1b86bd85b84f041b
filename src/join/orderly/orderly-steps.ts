import type { Call } from "../../adapt/call.ts";
import { readTool } from "../../adapt/read-tool.ts";
import type { JsonValue } from "../../model/json.ts";
import type { ModelCall, ToolCall, Usage } from "../../model/run.ts";
import type { JoinOptions, Price } from "../join-options.ts";
import type { Models } from "../models.ts";
import { betterArguments } from "../tool-uses.ts";
import { usageOf } from "../tokens.ts";
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
    return this.#use.piece.span.spanId;
  }

  get traceId(): string {
    return this.#use.piece.span.traceId;
  }

  get callId(): string | null {
    return this.#use.callId;
  }

  get startUnixMs(): number {
    return this.#use.piece.start;
  }

  get durationMs(): number {
    const { start, end } = this.#use.piece;
    return end - start;
  }

  get arguments(): JsonValue | undefined {
    const { piece, asking } = this.#use;
    const request = asking?.requests.find(({ id }) => id === this.callId);
    return betterArguments(request?.arguments, readTool(piece).arguments);
  }

  /** A text may be cut off in the span and whole in the history. */
  get result(): JsonValue | undefined {
    if (this.error !== null) return undefined;
    const { piece, asking } = this.#use;
    const { result } = readTool(piece);
    if (asking === undefined || typeof result !== "string") return result;
    const whole = this.#run.whole.tools[this.#at];
    return whole === undefined ? result : whole.result;
  }
}

/** What a call cost, and the table that the price is from. */
export interface Cost {
  readonly usd: number | null;
  readonly source: string | null;
}

const unknownCost: Cost = { usd: null, source: null };

/** As its span says, else by the price of the model that answered. */
export function costOf(call: Call, { request, response }: Models, price: JoinOptions["price"]): Cost {
  const own = call.piece.number("cost");
  if (own !== undefined) return { usd: own, source: null };
  return priceOf(call, response ?? request, usageOf(call), price) ?? unknownCost;
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
  readonly #call: Call;

  constructor(call: Call, agent: string, { request, response }: Models, cost: Cost) {
    const { piece } = call;
    this.spanId = piece.span.spanId;
    this.traceId = piece.span.traceId;
    this.agent = agent;
    this.model = request;
    this.responseModel = response;
    this.usage = usageOf(call);
    this.costUsd = cost.usd;
    this.startUnixMs = call.start;
    this.durationMs = call.end - call.start;
    this.#call = call;
  }

  get finishReason(): string | null {
    return this.#call.finish;
  }

  get responseId(): string | null {
    return this.#call.field("responseId") ?? null;
  }
}

function priceOf(
  call: Call,
  model: string | null,
  usage: Usage,
  price: JoinOptions["price"],
): ReturnType<Price> {
  if (price === undefined || model === null || usage.input === null) return null;
  return price(call.field("provider") ?? null, model, usage, call.start);
}
