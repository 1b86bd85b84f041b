import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { Message, RequestedCall } from "../../model/message.ts";
import type {
  FinishReason,
  HoldsExchanges,
  ModelAnswer,
  ModelRequest,
  RecordedExchange,
  ToolDefinition,
} from "../../model/model-exchange.ts";
import type { AgentRun, ModelCall } from "../../model/run.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import { F } from "../facts/fields.ts";
import { argumentsOf } from "../notations/arguments.ts";
import { isProviderRun } from "../notations/kinds.ts";
import { isCutText, unfold } from "../notations/parse-text.ts";
import { plainMessage } from "../span-messages.ts";
import { endsEmpty } from "./empty-answer.ts";
import { textOfInstructions, thoughtsIn, toolDefinitionsIn } from "./exchange-parts.ts";

/** Inputs and outputs of the model calls of a run, or of all turns of a conversation; empty for a run without telemetry. */
export function exchangesOf(run: AgentRun): readonly RecordedExchange[] {
  if (run.turns !== undefined) return run.turns.flatMap(exchangesOf);
  return holdsExchanges(run) ? run.exchanges : [];
}

function holdsExchanges(run: AgentRun): run is AgentRun & HoldsExchanges {
  return "exchanges" in run;
}

/** One call as an exchange. `known`: the call in the run's list. */
export function recordedExchange(call: LlmCall, known: ModelCall): RecordedExchange {
  const { failure } = call;
  const request = requestOf(call, known.model);
  const answer = failure === null ? answerOf(call, known) : null;
  return {
    traceId: known.traceId,
    spanId: known.spanId,
    agent: known.agent,
    request,
    answer,
    error: failure,
    gaps: failure === null ? gapsOf(call, request, answer) : [],
  };
}

function requestOf(call: LlmCall, model: string | null): ModelRequest {
  const { inputs } = call;
  const messages = inputs.filter(({ role }) => role !== "system").map(plainMessage);
  return {
    model,
    system: systemOf(call),
    messages: inputs.length === 0 ? null : messages,
    tools: toolsOf(call),
    parameters: settingsOf(call),
  };
}

/** Instructions from a separate attribute, and further system messages of the history. */
function systemOf(call: LlmCall): string | null {
  const own = valueOf(call, F.instructions);
  const declared = own === undefined ? null : textOfInstructions(own);
  const said = call.inputs.flatMap(({ role, text }) => (role === "system" && text !== null ? [text] : []));
  const texts = declared === null ? said : [declared, ...said.filter((text) => !declared.includes(text))];
  return texts.length === 0 ? null : texts.join("\n\n");
}

function toolsOf(call: LlmCall): readonly ToolDefinition[] | null {
  const declared = valueOf(call, F.toolDefinitions) ?? parametersOf(call)["tools"];
  return declared === undefined ? null : toolDefinitionsIn(declared);
}

/** Request parameters without their own field. */
const elsewhere: readonly string[] = [
  "model",
  "model_name",
  "messages",
  "input",
  "contents",
  "tools",
  "system",
  "stream",
];

function settingsOf(call: LlmCall): JsonObject {
  const settings = Object.entries(parametersOf(call)).filter(
    ([name, value]) => value !== null && !elsewhere.includes(name),
  );
  return Object.fromEntries(settings);
}

function parametersOf(call: LlmCall): JsonObject {
  const value = valueOf(call, F.parameters);
  const parameters = value === undefined ? undefined : unfold(value);
  return isObject(parameters) ? parameters : {};
}

/** Returns the field's value from the innermost span that has the field. */
function valueOf({ node, around }: LlmCall, field: number): JsonValue | undefined {
  for (const layer of [node, ...around]) {
    const value = layer.valueAt(field);
    if (value !== undefined && !(isArray(value) && value.length === 0)) return value;
  }
  return undefined;
}

function answerOf(call: LlmCall, known: ModelCall): ModelAnswer | null {
  const { outputs } = call;
  const texts = outputs.flatMap(({ role, text }) => (role === "assistant" && text !== null ? [text] : []));
  const calls = callsOf(call);
  if (texts.length === 0 && calls.length === 0 && !endsEmpty(call)) return null;
  const text = texts.filter((one) => one.trim() !== "").join("\n");
  return {
    id: call.responseId,
    model: known.responseModel ?? known.model,
    text: text === "" && calls.length > 0 ? null : text,
    reasoning: reasoningOf(call),
    refusal: null,
    calls,
    finish: finishOf(call.finish, calls.length > 0),
    usage: call.usage,
    ...(known.serviceTier == null ? {} : { serviceTier: known.serviceTier }),
  };
}

/** Requests for the agent. Excludes the provider's own tools, which already ran. */
function callsOf({ requests, outputs }: LlmCall): readonly RequestedCall[] {
  return requests
    .filter(
      (request) => !isProviderRun(request.name) && !outputs.some(({ served }) => served.includes(request)),
    )
    .map((request) => ({ ...request, arguments: argumentsOf(request.arguments).value ?? {} }));
}

function reasoningOf(call: LlmCall): string | null {
  for (const field of [F.outputMessages, F.output]) {
    const value = valueOf(call, field);
    const thoughts = value === undefined ? null : thoughtsIn(unfold(value));
    if (thoughts !== null) return thoughts;
  }
  return null;
}

const finishReasons: readonly string[] = ["stop", "length", "tool_call", "content_filter", "error"];

/** Some frameworks record `stop` for each complete answer, but their SDKs run tools only after `tool_call`. */
function finishOf(reason: string | null, hasCalls: boolean): FinishReason {
  const finish = reason !== null && finishReasons.includes(reason) ? (reason as FinishReason) : "stop";
  return hasCalls && finish === "stop" ? "tool_call" : finish;
}

/** Why an exchange cannot be played back. */
function gapsOf(call: LlmCall, { messages }: ModelRequest, answer: ModelAnswer | null): string[] {
  const gaps: string[] = [];
  if (messages === null) gaps.push("the model's request is not recorded");
  else if (isCutInput(call)) gaps.push("the model's request was cut off");
  if (answer === null) gaps.push("the model's answer is not recorded");
  else if (call.isCut || isCutAnswer(call)) gaps.push("the model's answer was cut off");
  else if (lacksCalls(call)) gaps.push("the requested tool calls are not recorded");
  if (call.completions > 1) gaps.push("one span covers several model calls");
  return gaps;
}

function isCutInput({ inputs }: LlmCall): boolean {
  return inputs.some((input) => input.isCut || hasCutPart(input));
}

function hasCutPart({ text, calls, results }: Message): boolean {
  return (
    (text !== null && isCutText(text)) ||
    calls.some((one) => argumentsOf(one.arguments).isCut) ||
    results.some(({ content }) => typeof content === "string" && isCutText(content))
  );
}

function isCutAnswer({ requests }: LlmCall): boolean {
  return requests.some((request) => argumentsOf(request.arguments).isCut);
}

/** Whether the call stopped for tool calls, but a tool name is missing. */
function lacksCalls({ finish, requests }: LlmCall): boolean {
  return (finish === "tool_call" && requests.length === 0) || requests.some(({ name }) => name === null);
}
