import type { LlmCall } from "../fragments/llm-call.ts";
import { isRoleWord } from "../undeclared/role-words.ts";
import { unfold } from "../messages/unfold.ts";
import { pickText } from "../messages/pick.ts";
import { isObject } from "../../model/json.ts";
import type { CallRecords } from "./call-records.ts";
import { ByteWord } from "../text/byte-search.ts";
import { responseModelIn } from "../span/read-model.ts";

/** The model that was asked for and the one that answered; null where the telemetry does not say. */
export interface Models {
  readonly request: string | null;
  readonly response: string | null;
}

/**
 * The models of each call. Where a response that was kept whole names another model than the call's one name, that name is what was asked
 * for, also on the calls beside it that say nothing else.
 */
export function modelsOfCalls(calls: readonly LlmCall[], records: CallRecords): readonly Models[] {
  const all = calls.map((call) => modelsOf(call, records));
  const requested = new Set<string>();
  const oneName = (call: LlmCall): string | undefined => {
    const { asked, given, either } = namesOf(call);
    return asked === undefined && given === undefined && either !== undefined
      ? `${call.node.span.scopeName}\n${either}`
      : undefined;
  };
  for (const [at, call] of calls.entries()) {
    const { response } = all[at] ?? noModels;
    const name = response === null || response === call.field("model") ? undefined : oneName(call);
    if (name !== undefined) requested.add(name);
  }
  const known = withoutAliases(all);
  if (requested.size === 0) return known;
  return calls.map((call, at) => {
    const models = known[at] ?? noModels;
    if (models.response !== call.field("model") || !requested.has(oneName(call) ?? "")) return models;
    return { request: models.request, response: null };
  });
}

/** Where a version of the requested model answered one call, the requested name alone does not say which one answered another. */
function withoutAliases(all: readonly Models[]): readonly Models[] {
  const versioned = new Set<string>();
  for (const { request, response } of all)
    if (request !== null && response !== null && isVersionOf(response, plainModel(request)))
      versioned.add(plainModel(request));
  if (versioned.size === 0) return all;
  return all.map((models) =>
    models.response !== null && versioned.has(plainModel(models.response))
      ? { request: models.request, response: null }
      : models,
  );
}

/** Without a provider's prefix. */
function plainModel(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/**
 * A call's models. Who answered may stand only in the response that the producer kept whole, or in the framework's state. One
 * name alone is shown as both; on a call that failed it is what was asked for.
 */
function modelsOf(call: LlmCall, records: CallRecords): Models {
  let named = namesOf(call);
  if (named.asked === undefined && named.given === undefined && named.either === undefined) {
    call.node.reading.infer();
    named = namesOf(call);
  }
  const { given, either } = named;
  const two = given === undefined && either !== undefined ? twoModels(call) : undefined;
  const request =
    named.asked ??
    parameterised(call) ??
    two?.[0] ??
    ((given ?? either) === undefined ? undefined : requested(call));
  const response =
    given === undefined || given === request ? (responded(call) ?? records.modelOf(call) ?? given) : given;
  const answered = response ?? two?.[1] ?? either;
  const inName = request === undefined && answered !== undefined ? namedModel(call, answered) : undefined;
  const asked = request ?? inName ?? either ?? response ?? null;
  if (call.failure !== null) return { request: asked, response: response ?? null };
  return { request: asked, response: response ?? two?.[1] ?? either ?? request ?? null };
}

export const noModels: Models = { request: null, response: null };

interface Named {
  readonly asked: string | undefined;
  readonly given: string | undefined;
  readonly either: string | undefined;
}

function namesOf(call: LlmCall): Named {
  const given = call.field("responseModel");
  const asked = call.field("requestModel");
  return {
    // A client that is not given a model by the call names the operation in its place, `chat`.
    asked: asked !== undefined && isRoleWord(asked) ? undefined : asked,
    given: given === undefined || call.around.length === 0 ? given : servedModel(call, given),
    either: call.field("model"),
  };
}

/**
 * A gateway may answer under the name that the client asked for, an alias: then the model is the one that the gateway's own span has.
 * `given`: the response's model as the innermost layer that says it has it.
 */
function servedModel(call: LlmCall, given: string): string {
  const own = call.node.text("responseModel") ?? call.node.text("model");
  if (own === undefined || own === given) return given;
  return call.around.some((layer) => layer.text("requestModel") === given) ? own : given;
}

/** The model among the parameters of a request that was kept apart from its messages. */
function parameterised(call: LlmCall): string | undefined {
  const text = call.node.text("parameters");
  // Cut off, the text may end within the name.
  if (text !== undefined) return modelIn.exec(text)?.[1];
  const value = call.node.json("parameters");
  return isObject(value) ? pickText(value, "model", "model_name", "model_id", "modelId") : undefined;
}

const modelIn = /["']model(?:_name|_id|Id)?["']:\s*["']([^"']+)["']/;

/** Two names that nobody tells apart, one a version of the other: the plain one was asked for. */
function twoModels(call: LlmCall): readonly [asked: string, answered: string] | undefined {
  const names = call.node.reading.all("model").filter((name) => typeof name === "string");
  for (const asked of names) {
    const answered = names.find((name) => isVersionOf(name, asked));
    if (answered !== undefined) return [asked, answered];
  }
  return undefined;
}

function isVersionOf(name: string, model: string): boolean {
  return name.startsWith(model) && /^[-@:]\d/.test(name.slice(model.length));
}

/** The model that the request names, where the producer kept the request whole. */
function requested(call: LlmCall): string | undefined {
  for (const value of call.node.reading.all("input")) {
    const inner = unfold(value, 1);
    if (!isObject(inner) || typeof inner["model"] !== "string" || inner["model"] === "") continue;
    if (["messages", "input", "contents", "prompt"].some((key) => key in inner)) return inner["model"];
  }
  return undefined;
}

/** The word of the span's name that the model which answered is a version of: `gpt-x` of `gpt-x-0715`. */
function namedModel(call: LlmCall, answered: string): string | undefined {
  const words = call.node.span.name.split(/[\s:/]+/);
  return words.find((word) => /[a-z]/i.test(word) && isVersionOf(answered, word));
}

function responded(call: LlmCall): string | undefined {
  return modelKept(call, "output") ?? modelKept(call, "outputMessages") ?? call.known?.model;
}

const model = new ByteWord("model");

function modelKept({ node }: LlmCall, field: "output" | "outputMessages"): string | undefined {
  const { reading } = node;
  if (reading.has(field) ? !reading.mayMention(field, model) : !node.has(field)) return undefined;
  return responseModelIn(node.json(field));
}

/** Each name once, in order. */
export function distinct(names: readonly (string | null)[]): string[] {
  const found: string[] = [];
  let last: string | null = null;
  for (const name of names) {
    if (name === last || name === null || name === "") continue;
    if (!found.includes(name)) found.push(name);
    last = name;
  }
  return found;
}
