import type { ModelCall } from "../../model/run.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import type { Evidence } from "../evidence.ts";
import { F } from "../facts/fields.ts";
import type { Price } from "../price.ts";
import type { Models } from "./models.ts";
import { serviceTierOf } from "./service-tier.ts";
import { durationBetween } from "./tools.ts";

export interface PricedCall {
  readonly modelCall: ModelCall;
  /** Price table for the run's cost. */
  readonly source: string | null;
  /** Models without a price in the table. */
  readonly unpriced: readonly string[];
  /** The span reports an impossible cost: negative or not finite. */
  readonly isImpossible: boolean;
}

/**
 * The model calls as a run shows them, with their cost: what the span reports, else by the price table.
 * @param agent of a call that names none
 */
export function pricedCalls(
  calls: readonly LlmCall[],
  models: readonly Models[],
  evidence: Evidence,
  agent: string | null,
  priceOf: Price | undefined,
): PricedCall[] {
  return calls.map((call, at) => priced(call, models[at] as Models, evidence, agent, priceOf));
}

function priced(
  call: LlmCall,
  { request, response }: Models,
  evidence: Evidence,
  agent: string | null,
  priceOf: Price | undefined,
): PricedCall {
  const { usage, node } = call;
  const model = response ?? request;
  const tier = serviceTierOf(call);
  const reported = reportedCost(call);
  const isImpossible = reported !== null && !(reported >= 0 && Number.isFinite(reported));
  const own = isImpossible ? null : reported;
  const price =
    reported !== null || model === null || usage.input === null
      ? null
      : priceOf?.(call.textOf(F.provider), model, usage, call.start, tier);
  const modelCall: ModelCall & { serviceTier?: string } = {
    spanId: node.span.spanId,
    traceId: evidence.traceIdOf(node),
    agent: call.agent ?? agent,
    model: request,
    responseModel: response,
    finishReason: call.finish,
    responseId: call.responseId,
    usage,
    costUsd: own ?? price?.usd ?? null,
    startUnixMs: call.isTimed ? call.start : null,
    durationMs: call.isTimed ? durationBetween(node, node) : null,
    error: call.failure,
  };
  if (tier !== null) modelCall.serviceTier = tier;
  return { modelCall, source: price?.source ?? null, unpriced: price?.unpriced ?? [], isImpossible };
}

/** The cost of a run; null where that of a call that did not fail is unknown. */
export function sumOfCosts(calls: readonly ModelCall[]): number | null {
  let sum = 0;
  for (const { costUsd, error } of calls) {
    if (costUsd === null && error === null) return null;
    sum += costUsd ?? 0;
  }
  return calls.length === 0 ? null : sum;
}

/** Cost reported by the call's span; null if absent. */
function reportedCost({ node }: LlmCall): number | null {
  return node.hasField(F.cost) ? node.numberAt(F.cost) : null;
}
