import type { Call } from "../../adapt/call.ts";
import { readTool } from "../../adapt/read-tool.ts";
import type { JsonValue } from "../../model/json.ts";
import type { ModelCall, ToolCall, Usage } from "../../model/run.ts";
import type { JoinOptions, Price } from "../join-options.ts";
import type { Models } from "../models.ts";
import { betterArguments } from "../tool-uses.ts";
import { usageOf } from "../tokens.ts";
import type { OrderlyUse } from "./orderly-uses.ts";

export class OrderlyTool implements ToolCall {
  readonly spanId: string;
  readonly traceId: string;
  readonly name: string;
  readonly error: string | null;
  readonly agent: string;
  readonly callId: string | null;
  readonly startUnixMs: number;
  readonly durationMs: number;
  readonly executed = true;
  readonly retried: boolean;
  readonly #use: OrderlyUse;
  readonly #whole: () => Pick<ToolCall, "result">;

  constructor(use: OrderlyUse, agent: string, retried: boolean, whole: () => Pick<ToolCall, "result">) {
    const { piece, name, callId, error } = use;
    this.spanId = piece.span.spanId;
    this.traceId = piece.span.traceId;
    this.name = name;
    this.error = error;
    this.agent = agent;
    this.callId = callId;
    this.startUnixMs = piece.start;
    this.durationMs = piece.end - piece.start;
    this.retried = retried;
    this.#use = use;
    this.#whole = whole;
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
    return asking === undefined || typeof result !== "string" ? result : this.#whole().result;
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
  /** The table that the cost is from. */
  readonly priceSource: string | null;
  readonly startUnixMs: number;
  readonly durationMs: number;
  readonly error = null;
  readonly #call: Call;

  constructor(call: Call, agent: string, { request, response }: Models, price: JoinOptions["price"]) {
    const { piece } = call;
    this.spanId = piece.span.spanId;
    this.traceId = piece.span.traceId;
    this.agent = agent;
    this.model = request;
    this.responseModel = response;
    this.usage = usageOf(call);
    const own = piece.number("cost");
    const priced = own === undefined ? priceOf(call, response ?? request, this.usage, price) : null;
    this.costUsd = own ?? priced?.usd ?? null;
    this.priceSource = priced?.source ?? null;
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
