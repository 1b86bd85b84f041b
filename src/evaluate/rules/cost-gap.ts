import type { AgentRun, ModelCall } from "../../model/run.ts";
import { count, listed, short } from "./text.ts";

/** Why the cost of a run is unknown, and the remedy in one sentence. */
export interface CostGap {
  readonly reason: string;
  readonly remedy: string;
}

/** Remedy for model calls without tokens. */
export const usageRemedy =
  "Let the model client report token usage (for OpenAI streams: stream_options.include_usage = true).";

/** Remedy for model calls without spans. */
export const callsRemedy = "Instrument the model client as well, so that each completion has its own span.";

const MOST_NAMES = 3;

/** Matches the entry in `missing` for a reported cost that is negative or not finite. */
const impossible = /report a cost that is negative or not finite$/;

/** Returns the first reason in the run's model calls why the cost is unknown, or is only an estimate by a default price. */
export function costGap({ llm, missing }: Pick<AgentRun, "llm" | "missing">): CostGap {
  const estimated = missing.find(({ what }) => what === "prices");
  if (estimated !== undefined)
    return {
      reason: estimated.why,
      remedy:
        "Add the price to the configuration: for a service tier, its factor: prices: { MODEL: { service_tiers: { TIER: … } } }; for cache writes of an hour, prices: { MODEL: { input: …, output: …, cache_write_1h: … } }",
    };
  const reported = missing.find(({ what, why }) => what === "cost" && impossible.test(why));
  if (reported !== undefined)
    return {
      reason: reported.why,
      remedy:
        "Correct the cost that the instrumentation reports, or do not report it. The cost then comes from the price table.",
    };
  const unpriced = llm.filter(({ error, costUsd }) => error === null && costUsd === null);
  if (unpriced.length === 0) return { reason: "model calls may be missing", remedy: callsRemedy };
  const nameless = unpriced.filter((call) => nameOf(call) === null).length;
  if (nameless > 0)
    return {
      reason: `${nameless} of ${count(llm.length, "model call")} ${nameless === 1 ? "has" : "have"} neither a cost nor a model name`,
      remedy:
        "Have the instrumentation name the model of each call: gen_ai.request.model or gen_ai.response.model.",
    };
  const silent = unpriced.filter(({ usage }) => usage.input === null || usage.output === null).length;
  if (silent > 0)
    return {
      reason: `input or output tokens are unknown in ${silent} of ${count(llm.length, "model call")}`,
      remedy: usageRemedy,
    };
  const names = [...new Set(unpriced.flatMap((call) => nameOf(call) ?? []))].sort();
  const shown = shownNames(names);
  const rest = names.length - shown.length;
  const all = rest > 0 ? [...shown, `${rest} more`] : shown;
  return { reason: `no price for ${listed(all)}`, remedy: priceRemedy(names) };
}

/** Returns the remedy for models without a price: the configuration that adds prices. */
export function priceRemedy(models: readonly string[]): string {
  const entries = shownNames(models).map((name) => `${JSON.stringify(name)}: { input: …, output: … }`);
  return `Add the price to the configuration, in US dollars per million tokens: prices: { ${entries.join(", ")} }`;
}

function shownNames(models: readonly string[]): readonly string[] {
  return models.slice(0, MOST_NAMES).map((name) => short(name));
}

/** Returns the model of a call that has tokens and no price. Null if the call has a price, or lacks tokens or the model's name. */
export function unpricedModel(call: ModelCall): string | null {
  const { error, costUsd, usage } = call;
  const lacksPrice = error === null && costUsd === null && usage.input !== null && usage.output !== null;
  return lacksPrice ? nameOf(call) : null;
}

function nameOf({ model, responseModel }: ModelCall): string | null {
  return responseModel ?? model;
}
