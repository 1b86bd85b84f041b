import { isArray, isObject } from "../../model/json.ts";
import type { Message, RequestedCall } from "../../model/message.ts";
import { readCall } from "./read-call.ts";
import { noCalls, noResults } from "./read-part.ts";
import { valueIn } from "./unfold.ts";

const calling = /^\s*Calling tools:\s*(?=\[)/;
const observation = /^\s*Observation:\s*/;
/** The next question, where what the user says comes in one message with what the last tool returned. */
const nextTask = /\n(?=New task:\n)/;

/**
 * Frameworks whose models have no tool messages write a step as text: what was called, and the observation as if the user had said it.
 * (smolagents, and others that act in steps.) Messages without such texts are returned as they are.
 */
export function withPrintedSteps(messages: readonly Message[]): readonly Message[] {
  if (!messages.some(isPrintedCall)) return messages;
  const read: Message[] = [];
  let open: readonly RequestedCall[] = [];
  for (const message of messages) {
    const calls = isPrintedCall(message) ? callsIn(message.text ?? "") : [];
    if (calls.length > 0) read.push({ ...message, text: null, calls });
    else if (open.length > 0 && message.text !== null && observation.test(message.text))
      read.push(...observed(message.text, open));
    else read.push(message);
    open = calls;
  }
  return read;
}

function isPrintedCall({ role, text, calls }: Message): boolean {
  return role === "assistant" && calls.length === 0 && text !== null && calling.test(text);
}

function callsIn(text: string): RequestedCall[] {
  const list = valueIn(text.replace(calling, ""));
  return isArray(list) ? list.flatMap((call) => (isObject(call) ? (readCall(call) ?? []) : [])) : [];
}

function observed(text: string, calls: readonly RequestedCall[]): Message[] {
  const [first = "", ...others] = text.split(nextTask);
  const returned = results(first, calls);
  return others.length === 0
    ? [returned]
    : [returned, { role: "user", name: null, text: others.join("\n"), calls: noCalls, results: noResults }];
}

/** The results of several calls are one text: a line each, or whose lines are whose cannot be told. */
function results(text: string, calls: readonly RequestedCall[]): Message {
  const whole = text.replace(observation, "");
  const lines = calls.length === 1 ? [whole] : whole.split("\n");
  const ofCalls = calls.map(({ id, name }, at) => ({
    callId: id,
    name,
    content: lines.length === calls.length ? lines[at] : undefined,
    isError: false,
  }));
  return { role: "tool", name: null, text: null, calls: [], results: ofCalls };
}
