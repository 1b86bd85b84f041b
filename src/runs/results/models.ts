import { isObject } from "../../model/json.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import { responseModelIn } from "../calls/kept-response.ts";
import { ByteWord } from "../facts/byte-search.ts";
import { F } from "../facts/fields.ts";
import { isRoleWord } from "../facts/role-words.ts";
import { above, isAgent } from "../calls/tree.ts";
import type { Evidence } from "../evidence.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import type { CallRecords } from "../ledger/records.ts";
import { ruleIsOn } from "../rules.ts";

/** Requested model and response model; null if unknown. */
export interface Models {
  readonly request: string | null;
  readonly response: string | null;
}

/**
 * The models of each call. If the response model of one call is a version of its requested model, the same requested model of another call
 * does not imply its response model.
 */
export function modelsOfCalls(
  calls: readonly LlmCall[],
  { records, agentNodes }: Evidence,
): readonly Models[] {
  const all = calls.map((call) => modelsOf(call, records, agentNodes));
  const versioned = new Set<string>();
  for (const { request, response } of all)
    if (request !== null && response !== null && isVersionOf(response, plainModel(request)))
      versioned.add(plainModel(request));
  const names = distinct(all.flatMap(({ request, response }) => [request, response]));
  const cut = names.filter((name) => names.some((other) => isCutFrom(name, other)));
  if (versioned.size === 0 && cut.length === 0) return all;
  return all.map(({ request, response }) => ({
    request: request === null || cut.includes(request) ? null : request,
    response:
      response === null || cut.includes(response) || versioned.has(plainModel(response)) ? null : response,
  }));
}

/**
 * Whether a name is another name cut within a word or after a separator, such as `gpt-4.1-min` and `gpt-4.` for
 * `gpt-4.1-mini`.
 */
function isCutFrom(name: string, other: string): boolean {
  if (name.length >= other.length || !other.startsWith(name)) return false;
  return /^(?:[a-z]{2}|[-.:/_].)$/i.test(name.slice(-1) + other.charAt(name.length));
}

/** Returns a model name without the provider's prefix. */
function plainModel(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/**
 * Models of a call. The response model may be only in the recorded response or in the framework's state. A single name is used for both;
 * for a failed call it is the requested model.
 */
function modelsOf(call: LlmCall, records: CallRecords, agents: readonly SpanFacts[]): Models {
  const asked = call.field("requestModel");
  // A client without a model writes the operation `chat` instead.
  const named = asked !== null && isRoleWord(asked) ? null : asked;
  const given = servedModel(call);
  const either = call.field("model");
  const request = named ?? parameterised(call) ?? requested(call);
  const response =
    given === null || given === request ? (responded(call) ?? records.modelOf(call) ?? given) : given;
  const answered = response ?? either;
  const inName = request === null && answered !== null ? namedModel(call, answered) : null;
  const wanted = request ?? inName ?? either ?? response ?? modelOfAgent(call, agents);
  if (call.failure !== null) return { request: wanted, response };
  return { request: wanted, response: response ?? either ?? request ?? wanted };
}

/** Calls without a model get the model of their agent's span, or the only model of all agent spans. */
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
 * Returns the model that answered a call. If a gateway answered with the requested alias as the model's name, the
 * gateway's own span names the model.
 */
function servedModel(call: LlmCall): string | null {
  const given = call.field("responseModel");
  if (given === null || call.around.length === 0) return given;
  const own = call.node.responseModel ?? call.node.model;
  if (own === null || own === given) return given;
  return call.around.some((layer) => layer.requestModel === given) ? own : given;
}

const modelIn = /["']model(?:_name|_id|Id)?["']:\s*["']([^"']+)["']/;

/** The model in separately recorded request parameters. */
function parameterised({ node }: LlmCall): string | null {
  if (!node.hasField(F.parameters)) return null;
  // A cut text may end within the name.
  return modelIn.exec(node.textAt(F.parameters) ?? "")?.[1] ?? null;
}

function isVersionOf(name: string, model: string): boolean {
  return name.startsWith(model) && /^[-@:]\d/.test(name.slice(model.length));
}

/** The model in a recorded request. */
function requested({ node }: LlmCall): string | null {
  const value = node.valueAt(F.input);
  if (!isObject(value) || typeof value["model"] !== "string" || value["model"] === "") return null;
  return ["messages", "input", "contents", "prompt"].some((name) => name in value) ? value["model"] : null;
}

/** Word in the span name that is the response model without its version: `gpt-x` for `gpt-x-0715`. */
function namedModel({ node }: LlmCall, answered: string): string | null {
  const words = node.span.name.split(/[\s:/]+/);
  return words.find((word) => /[a-z]/i.test(word) && isVersionOf(answered, word)) ?? null;
}

const model = new ByteWord("model");

function responded(call: LlmCall): string | null {
  const { node } = call;
  for (const field of [F.output, F.outputMessages]) {
    if (!node.hasField(field) || !node.mayMention(field, model)) continue;
    const found = responseModelIn(node.valueAt(field));
    if (found !== null) return found;
  }
  return call.known?.model ?? null;
}

/** Returns each name once, in order. */
export function distinct(names: readonly (string | null)[]): string[] {
  const found: string[] = [];
  for (const name of names) if (name !== null && name !== "" && !found.includes(name)) found.push(name);
  return found;
}
