import type { ModelAnswer } from "../../../src/model/model-exchange.ts";
import { answerOf, ScriptedResponder, serverOf } from "../scripted.ts";

/** Schema of the tool that the SDKs' requests offer. */
export const weatherSchema = {
  type: "object" as const,
  properties: { city: { type: "string" as const } },
  required: ["city"],
};

const paris = { id: "call_1", name: "weather", arguments: { city: "Paris" } };
const oslo = { id: "call_2", name: "weather", arguments: { city: "Oslo", note: 'ßø😀 "quoted"' } };

/** Answers that every provider's SDK has to parse, with what must come out of it. */
export const answers: Readonly<Record<string, ModelAnswer>> = {
  text: answerOf({ text: "It is sunny in Paris 🌞, and that for the whole day.", finish: "stop" }),
  "a tool call": answerOf({ calls: [paris], finish: "tool_call" }),
  "text and two tool calls": answerOf({
    text: "I ask for both.",
    calls: [paris, oslo],
    finish: "tool_call",
  }),
  "a cut answer": answerOf({ text: "It is su", finish: "length" }),
  "a filtered answer": answerOf({ text: null, finish: "content_filter" }),
  "thoughts and text": answerOf({ reasoning: "Paris is in France.", text: "Sunny.", finish: "stop" }),
};

/** A client of a server that gives these answers. */
export async function scripted<Client>(clientAt: (base: string) => Client, script: readonly ModelAnswer[]) {
  const responder = new ScriptedResponder(script);
  const server = await serverOf(responder);
  return { client: clientAt(server.baseUrl("call-1")), responder };
}
