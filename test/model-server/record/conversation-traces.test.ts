import { expect, test } from "vitest";
import type { Message } from "../../../src/model/message.ts";
import type { ModelAnswer } from "../../../src/model/model-exchange.ts";
import type { RecordedCall } from "../../../src/model-server/record/call-span.ts";
import { ConversationTraces } from "../../../src/model-server/record/conversation-traces.ts";
import { answerOf } from "../scripted.ts";

function message(role: Message["role"], text: string | null, rest: Partial<Message> = {}): Message {
  return { role, name: null, text, calls: [], results: [], ...rest };
}

function callOf(
  messages: readonly Message[],
  answer: ModelAnswer | null,
  previous: string | null = null,
): RecordedCall {
  const request = { model: "m", system: null, messages, tools: null, parameters: {} };
  return {
    operation: "chat",
    provider: "openai",
    request,
    isStreamed: false,
    previousResponseId: previous,
    answer,
    error: answer === null ? { type: "429", message: "slow down" } : null,
    startUnixMs: 0,
    endUnixMs: 1,
    firstChunkMs: null,
    server: { address: "h", port: 443 },
  };
}

const asked = [message("user", "Weather?")];
const calls = [{ id: "c1", name: "weather", arguments: { city: "Paris" } }];
const asking = answerOf({ id: "r1", calls, finish: "tool_call" });
const called = message("assistant", null, {
  calls: [{ id: "c1", name: "weather", arguments: '{"city": "Paris"}' }],
});
const result = message("tool", null, {
  results: [{ callId: "c1", name: null, content: "18", isError: false }],
});
const answered = answerOf({ id: "r2", text: "18 C", finish: "stop" });
const history = [...asked, called, result];
const next = [...history, message("assistant", "18 C"), message("user", "And now?")];

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
  const turn = traces.traceOf("a", callOf([message("user", "And now?")], answered, "r2"));
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
