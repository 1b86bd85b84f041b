import { isArray, isObject, parseJson } from "../../model/json.ts";
import type { RequestedCall } from "../../model/message.ts";
import { dspySteps, hasDspyStep } from "./dspy-steps.ts";
import * as field from "./fields.ts";
import { parseText } from "./parse-text.ts";
import { callOf } from "./parts.ts";
import { ReadMessage } from "./read-message.ts";

const calling = /^\s*Calling tools:\s*(?=\[)/;
/** The NeMo Agent Toolkit appends the tool requests to the model's text, after this line. */
const appended = "\n\nTool calls: [";
/** Matches the beginning of a list of tool calls in the form of OpenAI's API. */
const listed = /^\s*\[\s*\{\s*"(?:id|type|index|function)"\s*:/;
const observation = /^\s*Observation:\s*/;
const printed = /^\s*(?:Observation:|Calling tools:\s*\[)/;
/** Matches the beginning of the user's next message, if one message contains the last tool result and this message. */
const nextTask = /\n(?=New task:\n)/;

/** Matches the beginning of a user message in which a framework reports the steps of another agent. */
const retelling = /^For context:\s*(?:below is a transcript of what another agent did, [^[]*)?(?=\[)/;
/** Matches the lines that ADK writes around each reported text since version 2.13. */
const fence = /<<<(?:BEGIN|END)_QUOTED_AGENT_CONTENT>>>\n?/g;
/** Matches one reported step: the agent, then a tool call, a result or a text. */
const retoldStep =
  /^\[([^\]\n]+)\] (?:called tool:? `([^`]+)` with (?:parameters|arguments):\s([^]*)|`([^`]+)` tool returned result:\s([^]*)|said:\s([^]*))$/;
const nextStep = /\n(?=\[[^\]\n]+\] (?:called tool|`|said:\s))/;

/**
 * Extracts calls and results that messages contain as text or under another role. Frameworks without tool messages, such as smolagents and
 * DSPy, write the call as text and the tool's result as a user message. Langtrace writes a list of calls as the text of the answer. Other
 * frameworks use the tool's name as the role: `{ role: "gauge", content: "2 m" }`. ADK, and frameworks that copy its form, report another
 * agent's steps in a user message.
 */
export function withPrintedSteps(given: ReadMessage[]): ReadMessage[] {
  let isAny = false;
  for (const { role, name, text } of given)
    if (
      text !== null &&
      ((role === "user" && (name !== null || retelling.test(text))) ||
        printed.test(text) ||
        listed.test(text) ||
        hasDspyStep(text) ||
        text.includes(appended))
    )
      isAny = true;
  if (!isAny) return given;
  const messages = given.flatMap(toldSteps).flatMap(dspySteps);
  const read: ReadMessage[] = [];
  const called = new Set<string>();
  let open: readonly RequestedCall[] = [];
  for (const message of messages) {
    const { role, name, text } = message;
    if (role === "assistant" && text !== null && message.calls.length === 0) readRequests(message, text);
    for (const call of message.calls) if (call.name !== null) called.add(call.name);
    if (open.length > 0 && text !== null && observation.test(text)) read.push(...observed(text, open));
    else if (
      role === "user" &&
      name !== null &&
      text !== null &&
      message.results.length === 0 &&
      called.has(name)
    )
      read.push(returned(name, text));
    else read.push(message);
    open = message.text === null ? message.calls : [];
  }
  return read;
}

function readRequests(message: ReadMessage, text: string): void {
  // Langtrace writes the requests as the text of the answer.
  const requests = listed.test(text) ? listedCalls(text) : [];
  if (requests.length > 0) {
    message.calls = requests;
    [message.printed, message.text] = [text, null];
    return;
  }
  const at = calling.test(text) ? 0 : text.indexOf(appended);
  if (at < 0) return;
  message.calls = callsIn(at === 0 ? text : text.slice(at));
  if (message.calls.length === 0) return;
  const textBefore = text.slice(0, at);
  [message.printed, message.text] = [text, textBefore.trim() === "" ? null : textBefore];
}

/**
 * Converts the steps that a user message reports into messages of the agent and its tools. If any text of the message has another form,
 * returns the message unchanged.
 */
function toldSteps(message: ReadMessage): ReadMessage[] {
  const { role, text } = message;
  if (role !== "user" || text === null || !retelling.test(text)) return [message];
  const steps = text.replace(retelling, "").replace(fence, "").split(nextStep).map(toldStep);
  const parsed = steps.filter((step) => step !== undefined);
  return parsed.length === steps.length ? parsed : [message];
}

function toldStep(text: string): ReadMessage | undefined {
  const [, agent = null, called, args, returning, result, stepText] = retoldStep.exec(text) ?? [];
  if (agent === null) return undefined;
  if (returning !== undefined) {
    const results = returned(returning, withoutStop(result ?? ""));
    results.printed = text;
    return results;
  }
  const message = new ReadMessage("assistant");
  message.name = agent;
  if (called !== undefined) {
    message.addCall({ id: null, name: called, arguments: withoutStop(args ?? "") });
    message.printed = text;
  } else message.addText(stepText?.trimEnd() ?? "");
  return message;
}

/** Removes the full stop with which Eino ends each reported step. */
function withoutStop(text: string): string {
  return text.trimEnd().replace(/(?<=[\]}"])\.$/, "");
}

/** The calls of a text that is only a list of tool calls; none for any other text. */
function listedCalls(text: string): readonly RequestedCall[] {
  const list = parseJson(text);
  if (!isArray(list)) return [];
  const calls = list.flatMap((item) => {
    const given = isObject(item) && item["type"] === "function" ? item["function"] : undefined;
    return isObject(item) && isObject(given) && typeof given["name"] === "string"
      ? (callOf(field.fieldsOf(item)) ?? [])
      : [];
  });
  return calls.length === list.length ? calls : [];
}

function callsIn(text: string): RequestedCall[] {
  const list = parseText(text.slice(text.indexOf("[")))?.value;
  const calls: RequestedCall[] = [];
  if (!isArray(list)) return calls;
  for (const item of list) {
    const call = isObject(item) ? callOf(field.fieldsOf(item)) : undefined;
    if (call !== undefined) calls.push(call);
  }
  return calls;
}

function returned(name: string, content: string): ReadMessage {
  const message = new ReadMessage("tool");
  message.name = name;
  message.addResult({ callId: null, name, content, isError: false });
  return message;
}

function observed(text: string, calls: readonly RequestedCall[]): ReadMessage[] {
  const [first = "", ...others] = text.split(nextTask);
  const results = new ReadMessage("tool");
  results.printed = first;
  // If several calls have one result text, each call's result is known only if the text has one line for each call.
  const whole = first.replace(observation, "");
  const lines = calls.length === 1 ? [whole] : whole.split("\n");
  for (const [at, { id, name }] of calls.entries()) {
    const content = lines.length === calls.length ? lines[at] : undefined;
    results.addResult({ callId: id, name, content, isError: false });
  }
  if (others.length === 0) return [results];
  const next = new ReadMessage("user");
  next.addText(others.join("\n"));
  return [results, next];
}
