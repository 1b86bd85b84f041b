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
import { wordList } from "../../support/structures/word-list.ts";
import { LlmCall } from "../calls/llm-call.ts";
import { unknownUsage } from "../calls/tokens.ts";
import { above, isAgent } from "../calls/tree.ts";
import { F } from "../facts/fields.ts";
import { argumentsOf } from "../notations/arguments.ts";
import type { ReadMessage } from "../notations/message.ts";
import { isProviderRun } from "../notations/kinds.ts";
import { isCutText, unfold } from "../notations/parse-text.ts";
import { plainMessage } from "../calls/span-messages.ts";
import { endsEmpty } from "./speakers.ts";
import { textOfInstructions, thoughtsIn, toolDefinitionsIn } from "./exchange-parts.ts";

/** Inputs and outputs of the model calls of a run, or of all turns of a conversation; empty for a run without telemetry. */
export function exchangesOf(run: AgentRun): readonly RecordedExchange[] {
  if (run.turns !== undefined) return run.turns.flatMap(exchangesOf);
  return holdsExchanges(run) ? run.exchanges : [];
}

function holdsExchanges(run: AgentRun): run is AgentRun & HoldsExchanges {
  return "exchanges" in run;
}

/**
 * Returns the model calls of a run as exchanges. A call whose span covers a tool loop becomes several exchanges. `known`: the run's list of
 * model calls, which has the same order as `calls`.
 */
export function recordedExchanges(
  calls: readonly LlmCall[],
  known: readonly ModelCall[],
  run: Pick<AgentRun, "error" | "traceId">,
): readonly RecordedExchange[] {
  const isShared = new Set(known.map(({ agent }) => agent)).size > 1;
  const exchanges = calls.flatMap((call, at) => {
    const { agent } = known[at] as ModelCall;
    const next = (): LlmCall | undefined =>
      calls.find((one, index) => index > at && known[index]?.agent === agent && one.failure === null);
    return exchangesWithin({ call, known: known[at] as ModelCall, isShared, next });
  });
  return [...exchanges, ...lostFailure(exchanges, run)];
}

interface ShownCall {
  readonly call: LlmCall;
  readonly known: ModelCall;
  /** Whether the run's model calls belong to several agents. */
  readonly isShared: boolean;
  /** Returns the agent's next answered call; undefined if there is none. */
  readonly next: () => LlmCall | undefined;
}

/** Returns a call as one exchange. A call whose span covers a tool loop gives one exchange for each model call of the loop. */
function exchangesWithin(shown: ShownCall): readonly RecordedExchange[] {
  return [...shown.call.turns.map((at) => exchangeWithin(shown, at)), recordedExchange(shown)];
}

function recordedExchange({ call: shown, known, isShared, next }: ShownCall): RecordedExchange {
  const { failure } = shown;
  const call = asSent(shown);
  const sentTo = call === shown ? null : call.field("requestModel");
  const request = requestOf(call, sentTo ?? known.model, isShared);
  const own = failure === null ? answerOf(call, known) : null;
  const isLacking = failure === null && (own === null || lacksCalls(call));
  const repeated = isLacking ? repeatedAnswer(call, next()) : null;
  const answer = repeated === null ? own : answerWith(call, known, repeated);
  return {
    ...ids(known),
    request,
    answer,
    error: failure,
    gaps: failure === null ? gapsOf(call, request, answer) : [],
  };
}

/**
 * Returns the answer of a call as the next call's history repeats it; null if there is none. Some instrumentations omit the content of a
 * streamed answer.
 */
function repeatedAnswer(call: LlmCall, next: LlmCall | undefined): ReadMessage | null {
  const inputs = next === undefined ? [] : asSent(next).inputs;
  const message = inputs[call.inputs.length];
  if (message?.role !== "assistant" || message.isEmpty || call.inputs.length === 0) return null;
  const isSame = call.inputs.every((message, at) => isRepeated(message, inputs[at]));
  return isSame && !(message.calls.length === 0 && call.finish === "tool_call") ? message : null;
}

function isRepeated(message: ReadMessage, other: ReadMessage | undefined): boolean {
  return other !== undefined && JSON.stringify(plainMessage(message)) === JSON.stringify(plainMessage(other));
}

/**
 * Returns the call as the model server recorded it, if the server recorded messages; otherwise `call`. The server's record takes
 * precedence, because a framework may record other messages than it sends.
 */
function asSent(call: LlmCall): LlmCall {
  const sent = call.recorded === null ? null : new LlmCall(call.recorded, [], null);
  return sent === null || sent.inputs.length === 0 ? call : sent;
}

/** Returns a call of a tool loop that is known only from the history in the loop's span. Its tokens are unknown. */
function exchangeWithin({ call, known, isShared }: ShownCall, at: number): RecordedExchange {
  const { text, calls } = call.inputs[at] as ReadMessage;
  const answer: ModelAnswer = {
    id: null,
    model: known.responseModel ?? known.model,
    text,
    reasoning: null,
    refusal: null,
    calls: calls.map(readCall),
    finish: "tool_call",
    usage: unknownUsage,
  };
  const request = requestOf(call, known.model, isShared, call.inputs.slice(0, at));
  return { ...ids(known), request, answer, error: null, gaps: isCutInput(call) ? [CUT_REQUEST] : [] };
}

/**
 * Returns the failed call of a run that ended in an error after its last recorded answer requested tools; empty for any other run. Some
 * instrumentations write no span for a failed call. If not a call but a tool failed, a replay never reaches this exchange.
 */
function lostFailure(
  exchanges: readonly RecordedExchange[],
  { error, traceId }: Pick<AgentRun, "error" | "traceId">,
): readonly RecordedExchange[] {
  const last = exchanges[exchanges.length - 1];
  if (error === null || last?.answer == null || last.answer.calls.length === 0) return [];
  const request = { model: null, system: null, messages: null, tools: null, parameters: {} };
  return [{ traceId, spanId: null, agent: last.agent, request, answer: null, error, gaps: [] }];
}

function ids({ traceId, spanId, agent }: ModelCall): Pick<RecordedExchange, "traceId" | "spanId" | "agent"> {
  return { traceId, spanId, agent };
}

function requestOf(
  call: LlmCall,
  model: string | null,
  isShared: boolean,
  inputs = call.inputs,
): ModelRequest {
  const messages = inputs.filter(({ role }) => role !== "system").map(sentMessage);
  const own = declaredToolsOf(call);
  const tools = own ?? agentToolsOf(call);
  return {
    model,
    system: systemOf(call),
    messages: inputs.length === 0 ? null : messages,
    tools,
    // With several agents, frameworks offer hand-off tools in addition to the tools that an agent declares.
    ...(own === null && tools !== null && isShared ? { hasMoreTools: true } : {}),
    parameters: settingsOf(call),
  };
}

/** Returns a message as the model received it. Steps that a framework printed into the message are text, not calls and results. */
function sentMessage(message: ReadMessage): Message {
  const { role, name, printed: text } = message;
  if (text === null) return plainMessage(message);
  return { role: role === "tool" ? "user" : role, name, text, calls: [], results: [] };
}

/** Returns the instructions from a separate attribute, followed by further system messages of the history; null if there are none. */
function systemOf(call: LlmCall): string | null {
  const own = valueOf(call, F.instructions);
  const declared = own === undefined ? null : textOfInstructions(own);
  const systemTexts = call.inputs.flatMap(({ role, text }) =>
    role === "system" && text !== null ? [text] : [],
  );
  const texts =
    declared === null ? systemTexts : [declared, ...systemTexts.filter((text) => !declared.includes(text))];
  return texts.length === 0 ? null : texts.join("\n\n");
}

function declaredToolsOf(call: LlmCall): readonly ToolDefinition[] | null {
  const declared = valueOf(call, F.toolDefinitions) ?? parametersOf(call)["tools"];
  return declared === undefined ? null : toolDefinitionsIn(declared);
}

/**
 * Returns the tools of the call's agent; null if unknown. Some producers write the tools only on the agent's span. A list of names without
 * parameters is ignored.
 */
function agentToolsOf(call: LlmCall): readonly ToolDefinition[] | null {
  const offered = above(call.node, isAgent)?.valueAt(F.toolDefinitions);
  const tools = offered === undefined ? null : toolDefinitionsIn(offered);
  return tools?.every(({ parameters }) => parameters !== undefined) === true ? tools : null;
}

/** Keys of request parameters that other fields of an exchange contain, so that they are not copied to its settings. */
const elsewhere = wordList("model model_name messages input contents tools system stream");

function settingsOf(call: LlmCall): JsonObject {
  const settings = Object.entries(parametersOf(call));
  return Object.fromEntries(settings.filter(([name, value]) => value !== null && !elsewhere.includes(name)));
}

function parametersOf(call: LlmCall): JsonObject {
  const value = valueOf(call, F.parameters);
  const parameters = value === undefined ? undefined : unfold(value);
  return isObject(parameters) ? parameters : {};
}

/** Returns the field's value from the innermost span of the call that has the field; undefined if there is none. */
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
  return answerWith(call, known, { text: texts.filter((one) => one.trim() !== "").join("\n"), calls });
}

function answerWith(
  call: LlmCall,
  known: ModelCall,
  { text, calls }: Pick<Message, "text" | "calls">,
): ModelAnswer {
  return {
    id: call.responseId,
    model: known.responseModel ?? known.model,
    text: text === "" && calls.length > 0 ? null : text,
    reasoning: reasoningOf(call),
    refusal: null,
    calls: calls.map(readCall),
    finish: finishOf(call.finish, calls.length > 0),
    usage: call.usage,
    ...(known.serviceTier == null ? {} : { serviceTier: known.serviceTier }),
  };
}

/** Returns the requests that the agent has to run. Excludes the provider's own tools, which already ran. */
function callsOf({ requests, outputs }: LlmCall): readonly RequestedCall[] {
  return requests.filter(
    (request) => !isProviderRun(request.name) && !outputs.some(({ served }) => served.includes(request)),
  );
}

function readCall(request: RequestedCall): RequestedCall {
  return { ...request, arguments: argumentsOf(request.arguments).value ?? {} };
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

/**
 * Returns the finish reason for a replay: `tool_call` instead of `stop` if there are calls. Some frameworks record `stop` for each complete
 * answer, but their SDKs run tools only after `tool_call`.
 */
function finishOf(reason: string | null, hasCalls: boolean): FinishReason {
  const finish = reason !== null && finishReasons.includes(reason) ? (reason as FinishReason) : "stop";
  return hasCalls && finish === "stop" ? "tool_call" : finish;
}

const CUT_REQUEST = "the recording of the model's request was cut off";

/** Returns the reasons why an exchange cannot be played back; empty if it can. */
function gapsOf(call: LlmCall, { messages }: ModelRequest, answer: ModelAnswer | null): string[] {
  const gaps: string[] = [];
  if (messages === null) gaps.push("the model's request is not recorded");
  else if (isCutInput(call)) gaps.push(CUT_REQUEST);
  if (answer === null) gaps.push("the model's answer is not recorded");
  else if (call.isCut || isCutAnswer(call)) gaps.push("the recording of the model's answer was cut off");
  else if (lacksCalls(call) && answer.calls.length === 0)
    gaps.push("the requested tool calls are not recorded");
  if (call.completions > 1 && call.turns.length === 0)
    gaps.push("one span covers several model calls, and their single answers are not recorded");
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

/** Whether the call stopped for tool calls, but no request is recorded, or a request lacks the tool's name. */
function lacksCalls({ finish, requests }: LlmCall): boolean {
  return (finish === "tool_call" && requests.length === 0) || requests.some(({ name }) => name === null);
}
