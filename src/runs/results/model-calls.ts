import type { ModelCall, Usage } from "../../model/run.ts";
import { wordList } from "../../support/structures/word-list.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import type { Evidence } from "../evidence.ts";
import { F } from "../facts/fields.ts";
import type { Models } from "./models.ts";
import { durationBetween } from "./tools.ts";

/** Cost of a call; null if the model has no price. */
export type Price = (
  provider: string | null,
  model: string,
  usage: Usage,
  atUnixMs: number,
  tier?: string | null,
) => { usd: number; source: string; unpriced?: readonly string[] } | null;

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
 * Model calls for the output of a run, with their cost: the reported cost, otherwise a cost from the price table. @param agent agent of
 * calls that name no agent
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

/** Cost of a run; null if the cost of any call that did not fail is unknown. */
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

/** Names of the default tier. */
const usualTiers: ReadonlySet<string> = new Set(
  wordList("auto default none null on_demand ondemand standard standard_only"),
);

/**
 * Service tier of a call, such as `flex` for `ServiceTier.FLEX`, if it is not the default: from its span, the recorded response, or the
 * request.
 */
function serviceTierOf(call: LlmCall): string | null {
  const said =
    call.textOf(F.serviceTier) ??
    tierWithin(call, F.output) ??
    call.textOf(F.requestedTier) ??
    tierWithin(call, F.parameters);
  if (said === null) return null;
  const tier = said
    .slice(said.lastIndexOf(".") + 1)
    .trim()
    .toLowerCase()
    .replace(/[ -]/g, "_");
  return tier === "" || usualTiers.has(tier) ? null : tier;
}

const tierMember = /["']service_?tier\\*["']\s*:\s*\\*["']([\w -]{1,40}?)\\*["']/i;

function tierWithin({ node }: LlmCall, field: number): string | null {
  if (!node.hasField(field)) return null;
  const text = node.nthRaw(field, 0);
  return typeof text === "string" && text.includes("ier") ? (tierMember.exec(text)?.[1] ?? null) : null;
}
