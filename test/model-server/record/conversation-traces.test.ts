import { expect, test } from "vitest";
import type { Message } from "../../../src/model/message.ts";
import type { ModelAnswer } from "../../../src/model/model-exchange.ts";
import type { RecordedCall } from "../../../src/model-server/record/call-span.ts";
import { ConversationTraces } from "../../../src/model-server/record/conversation-traces.ts";
import { messageOf } from "../../../src/model-server/protocols/messages.ts";
import { answerOf } from "../scripted.ts";
import { recordedCall } from "./recorded.ts";

function callOf(
  messages: readonly Message[],
  answer: ModelAnswer | null,
  previousResponseId: string | null = null,
): RecordedCall {
  return recordedCall({
    request: { model: "m", system: null, messages, tools: null, parameters: {} },
    previousResponseId,
    answer,
    error: answer === null ? { type: "429", message: "slow down" } : null,
  });
}

const asked = [messageOf("user", { text: "Weather?" })];
const calls = [{ id: "c1", name: "weather", arguments: { city: "Paris" } }];
const asking = answerOf({ id: "r1", calls, finish: "tool_call" });
const called = messageOf("assistant", {
  calls: [{ id: "c1", name: "weather", arguments: '{"city": "Paris"}' }],
});
const result = messageOf("tool", {
  results: [{ callId: "c1", name: null, content: "18", isError: false }],
});
const answered = answerOf({ id: "r2", text: "18 C", finish: "stop" });
const history = [...asked, called, result];
const next = [...history, messageOf("assistant", { text: "18 C" }), messageOf("user", { text: "And now?" })];

test("calls of one run share a trace, turns of a conversation its id", () => {
  const traces = new ConversationTraces();
  const first = traces.traceOf("a", callOf(asked, asking));
  const second = traces.traceOf("a", callOf(history, answered));
  const turn = traces.traceOf("a", callOf(next, answered));

  expect(second).toEqual(first);
  expect(turn.traceId).not.toBe(first.traceId);
  expect(turn.conversationId).toBe(first.conversationId);
});

test("a request that goes on from a response by its id", () => {
  const traces = new ConversationTraces();
  const first = traces.traceOf("a", callOf(asked, asking));

  expect(traces.traceOf("a", callOf([result], answered, "r1"))).toEqual(first);
  const turn = traces.traceOf("a", callOf([messageOf("user", { text: "And now?" })], answered, "r2"));
  expect(turn.traceId).not.toBe(first.traceId);
  expect(turn.conversationId).toBe(first.conversationId);
});

test("an attempt after one that failed is part of the same run", () => {
  const traces = new ConversationTraces();
  const failed = traces.traceOf("a", callOf(history, null));

  expect(traces.traceOf("a", callOf(history, answered))).toEqual(failed);
});

test("the same question of two callers, and of two agents, are two runs", () => {
  const traces = new ConversationTraces();
  const first = traces.traceOf("a", callOf(asked, asking));

  expect(traces.traceOf("a", callOf(asked, asking)).traceId).not.toBe(first.traceId);
  expect(traces.traceOf("b", callOf(history, answered)).traceId).not.toBe(first.traceId);
});
