import type { ModelCall, Usage } from "../../model/run.ts";
import { wordList } from "../../support/structures/word-list.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import { sumUsage } from "../calls/tokens.ts";
import type { Evidence } from "../evidence.ts";
import { F } from "../facts/fields.ts";
import { durationBetween } from "./tools.ts";
import { completionsOf } from "./usage.ts";
import { isObject } from "../../model/json.ts";
import { responseModelIn } from "../calls/kept-response.ts";
import { ByteWord } from "../facts/byte-search.ts";
import { isRoleWord } from "../facts/role-words.ts";
import { above, isAgent } from "../calls/tree.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import type { CallRecords } from "../ledger/records.ts";
import { ruleIsOn } from "../rules.ts";

/** Returns the cost of a call; null if the model has no price. */
export type Price = (
  provider: string | null,
  model: string,
  usage: Usage,
  atUnixMs: number,
  tier?: string | null,
) => { usd: number; source: string; unpriced?: readonly string[] } | null;

export interface PricedCall {
  readonly modelCall: ModelCall;
  /** Name of the price table that gave the cost; null if the cost is reported by the producer, or unknown. */
  readonly source: string | null;
  /** Properties of the call for which the table has no price, such as `service tier flex`; the default price was used. */
  readonly unpriced: readonly string[];
  /** Whether the span reports an impossible cost: negative or not finite. */
  readonly isImpossible: boolean;
}

/**
 * Returns the model calls for the output of a run. The cost of a call is the reported cost, otherwise a cost from the price table.
 * @param agent agent of calls that name no agent
 */
export function pricedCalls(
  calls: readonly LlmCall[],
  models: readonly Models[],
  evidence: Evidence,
  agent: string | null,
  priceOf: Price | undefined,
): PricedCall[] {
  return calls.map((call, at) => {
    const { usage, node } = call;
    const { request, response } = models[at] as Models;
    const model = response ?? request;
    const tier = serviceTierOf(call);
    const reported = node.numberAt(F.cost);
    const isImpossible = reported !== null && !(reported >= 0 && Number.isFinite(reported));
    const own = isImpossible || (reported === 0 && !isEmpty(usage)) ? null : reported;
    const price =
      own !== null || isImpossible || model === null || usage.input === null
        ? null
        : priceOf?.(call.textOf(F.provider), model, usage, call.start, tier);
    const modelCall: ModelCall & { serviceTier?: string; completions?: number | null } = {
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
    const completions = evidence.failedCalls.includes(call) ? 0 : completionsOf(call);
    if (completions !== (call.failure === null ? 1 : 0)) modelCall.completions = completions;
    if (tier !== null) modelCall.serviceTier = tier;
    return { modelCall, source: price?.source ?? null, unpriced: price?.unpriced ?? [], isImpossible };
  });
}

/**
 * Whether a call used no tokens. A reported cost of 0 counts only for such a call, because instrumentations also report 0 if they know no
 * price.
 */
function isEmpty({ input, output }: Usage): boolean {
  return input === 0 && output === 0;
}

/**
 * Returns the cost of a run in US dollars. Null if the run has no calls. Null also if the sum would be only a part of the cost: a call that
 * did not fail has no known cost, or model calls are missing from the data. `isWhole`: every model call has a span. Without it, the
 * recorded calls count as complete if their tokens are all tokens of the run.
 */
export function costOfRun(calls: readonly ModelCall[], usage: Usage, isWhole: boolean): number | null {
  if (!isWhole) {
    const shown = sumUsage(calls.filter(({ error }) => error === null).map((call) => call.usage));
    if (shown.input === null || shown.input !== usage.input || shown.output !== usage.output) return null;
  }
  let sum = 0;
  for (const { costUsd, error } of calls) {
    if (costUsd === null && error === null) return null;
    sum += costUsd ?? 0;
  }
  return calls.length === 0 ? null : sum;
}

/** Values that mean the default service tier. */
const usualTiers: ReadonlySet<string> = new Set(
  wordList("auto default none null on_demand ondemand standard standard_only"),
);

/**
 * Returns the service tier of a call, such as `flex` for `ServiceTier.FLEX`; null for the default tier. The sources, in order: the call's
 * span, the recorded response, the request.
 */
function serviceTierOf(call: LlmCall): string | null {
  const recorded =
    call.textOf(F.serviceTier) ??
    tierWithin(call, F.output) ??
    call.textOf(F.requestedTier) ??
    tierWithin(call, F.parameters);
  if (recorded === null) return null;
  const tier = recorded
    .slice(recorded.lastIndexOf(".") + 1)
    .trim()
    .toLowerCase()
    .replace(/[ -]/g, "_");
  return tier === "" || usualTiers.has(tier) ? null : tier;
}

const tierMember = /["']service_?tier\\*["']\s*:\s*\\*["']([\w -]{1,40}?)\\*["']/i;

const tierWord = new ByteWord("ier");

function tierWithin({ node }: LlmCall, field: number): string | null {
  const text = node.mayMention(field, tierWord) ? node.nthRaw(field, 0) : undefined;
  return typeof text === "string" && text.includes("ier") ? (tierMember.exec(text)?.[1] ?? null) : null;
}

/** Requested model and response model; null if unknown. */
export interface Models {
  readonly request: string | null;
  readonly response: string | null;
}

/**
 * Returns the requested model and response model of each call. If one call for `gpt-x` was answered by `gpt-x-0715`, `gpt-x` is no response
 * model of any call.
 */
export function modelsOfCalls(
  calls: readonly LlmCall[],
  { records, agentNodes }: Evidence,
): readonly Models[] {
  const all = withRequests(calls.map((call) => modelsOf(call, records, agentNodes)));
  const versioned = new Set<string>();
  for (const { request, response } of all)
    if (request !== null && response !== null && isVersionOf(response, plainModel(request)))
      versioned.add(plainModel(request));
  if (versioned.size === 0) return all;
  return all.map(({ request, response }) => ({
    request,
    response: response === null || versioned.has(plainModel(response)) ? null : response,
  }));
}

/**
 * Returns the models with the requested model corrected for calls that have only one model name, because some producers write one name for
 * both models. Example: one call reports only `gpt-x-0715`, and another call requested `gpt-x`; the first call then also requested `gpt-x`.
 */
function withRequests(all: readonly Models[]): readonly Models[] {
  const requests = new Set(all.flatMap(({ request }) => request ?? []));
  if (requests.size < 2) return all;
  return all.map((models) => {
    const { request, response } = models;
    if (request === null || request !== response) return models;
    const asked = [...requests].find((other) => other !== request && isVersionOf(request, other));
    return asked === undefined ? models : { request: asked, response };
  });
}

/** Returns the models that agent spans name. Used for runs without recorded calls. */
export function agentModels({ agentNodes }: Evidence): Models[] {
  return agentNodes.map(({ requestModel, responseModel, model }) => {
    return { request: requestModel ?? model ?? responseModel, response: responseModel ?? model };
  });
}

/** Returns a model name without the provider's prefix. */
function plainModel(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/**
 * Returns the models of a call. The response model may be recorded only in the response or in the framework's state. If a call has only one
 * model name, it is used for both models; for a failed call, only as the requested model.
 */
function modelsOf(call: LlmCall, records: CallRecords, agents: readonly SpanFacts[]): Models {
  if (call.isStandIn) return { request: null, response: null };
  const asked = call.field("requestModel");
  // If no model is set, some clients write the operation `chat` as the model.
  const named = asked !== null && isRoleWord(asked) ? null : asked;
  const given = servedModel(call);
  const either = call.field("model");
  const request = named ?? parameterised(call) ?? requested(call);
  const response =
    given === null || given === request ? (responded(call) ?? records.modelOf(call) ?? given) : given;
  const answered = response ?? either;
  const inName = request === null && answered !== null ? namedModel(call, answered, agents) : null;
  const wanted = request ?? inName ?? either ?? response ?? modelOfAgent(call, agents);
  if (call.failure !== null) return { request: wanted, response };
  return { request: wanted, response: response ?? either ?? request ?? wanted };
}

/** Returns the model of the agent's span, or the only model of all agent spans, for a call without a model; null if unknown. */
function modelOfAgent({ node }: LlmCall, agents: readonly SpanFacts[]): string | null {
  if (!ruleIsOn("model-of-agent")) return null;
  const agent = above(node, isAgent);
  const own = agent === null ? null : (agent.requestModel ?? agent.model);
  if (own !== null) return own;
  const named = new Set(agents.flatMap(({ requestModel, model }) => requestModel ?? model ?? []));
  const [only] = named;
  return named.size === 1 && only !== undefined ? only : null;
}

/**
 * Returns the model that answered a call; null if unknown. If the response names only the requested alias, because a gateway answered, the
 * gateway's own span names the model.
 */
function servedModel(call: LlmCall): string | null {
  const given = call.field("responseModel");
  if (given === null || call.around.length === 0) return given;
  const own = call.node.responseModel ?? call.node.model;
  if (own === null || own === given) return given;
  return call.around.some((layer) => layer.requestModel === given) ? own : given;
}

const modelWord = new ByteWord("model");
const modelIn = /["']model(?:_name|_id|Id)?["']:\s*["']([^"']+)["']/;

/** Returns the model in request parameters that are recorded separately; null if there is none. */
function parameterised({ node }: LlmCall): string | null {
  if (!node.mayMention(F.parameters, modelWord)) return null;
  // A truncated text may end within the model's name.
  return modelIn.exec(node.textAt(F.parameters) ?? "")?.[1] ?? null;
}

function isVersionOf(name: string, model: string): boolean {
  return name.startsWith(model) && /^[-@:]\d/.test(name.slice(model.length));
}

/** Returns the model in a recorded request; null if there is none. */
function requested({ node }: LlmCall): string | null {
  if (!node.mayMention(F.input, modelWord)) return null;
  const value = node.valueAt(F.input);
  if (!isObject(value) || typeof value["model"] !== "string" || value["model"] === "") return null;
  return ["messages", "input", "contents", "prompt"].some((name) => name in value) ? value["model"] : null;
}

/**
 * Returns the word in the span name, or else the model of the agent, that is the response model without its version, such as `gpt-x` for
 * `gpt-x-0715`; null if there is none.
 */
function namedModel(call: LlmCall, answered: string, agents: readonly SpanFacts[]): string | null {
  const words = [...call.node.span.name.split(/[\s:/]+/), modelOfAgent(call, agents) ?? ""];
  return words.find((word) => /[a-z]/i.test(word) && isVersionOf(answered, word)) ?? null;
}

/** Returns the response model in a response that a span of the call recorded completely, innermost span first; null if there is none. */
function responded(call: LlmCall): string | null {
  for (const node of [call.node, ...call.around])
    for (const field of [F.output, F.outputMessages]) {
      if (!node.mayMention(field, modelWord)) continue;
      const found = responseModelIn(node.valueAt(field));
      if (found !== null) return found;
    }
  return call.known?.model ?? null;
}

export function distinct(names: readonly (string | null)[]): string[] {
  const found: string[] = [];
  for (const name of names) if (name !== null && name !== "" && !found.includes(name)) found.push(name);
  return found;
}
