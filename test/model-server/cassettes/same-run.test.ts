import { expect, test } from "vitest";
import type { ModelRequest, RecordedExchange } from "../../../src/model/model-exchange.ts";
import { messageOf } from "../../../src/model-server/protocols/messages.ts";
import { createMask } from "../../../src/model-server/replay/mask.ts";
import type { RecordedRun } from "../../../src/model-server/replay/recorded-run.ts";
import { requestReducer } from "../../../src/model-server/replay/reduce-request.ts";
import { isSameRun } from "../../../src/model-server/replay/same-run.ts";
import { answerOf, exchangeOf } from "../scripted.ts";

const user = messageOf("user", { text: "Where is order 7?" });

interface Written {
  readonly id?: string;
  readonly given?: string | { readonly id: number };
  readonly result?: string | { readonly state: string };
  readonly request?: Partial<ModelRequest>;
  readonly text?: string;
  readonly more?: readonly RecordedExchange[];
  readonly query?: string;
}

/** A run of two calls, with what is written otherwise. */
function runOf(written: Written = {}): RecordedRun {
  const { id = "call_1", given = { id: 7 }, result = "sent", text = "It was sent.", more = [] } = written;
  const call = { id, name: "find_order", arguments: given };
  const request: ModelRequest = {
    model: "m",
    system: "You help.",
    messages: [user],
    tools: [{ name: "find_order", description: "Finds an order.", parameters: { type: "object" } }],
    parameters: { temperature: 0 },
    ...written.request,
  };
  const asked = messageOf("assistant", { calls: [call] });
  const answered = messageOf("tool", {
    results: [{ callId: id, name: null, content: result, isError: false }],
  });
  return {
    id: `run-${id}`,
    query: written.query ?? "Where is order 7?",
    exchanges: [
      exchangeOf(request, answerOf({ calls: [call], finish: "tool_call" })),
      exchangeOf({ ...request, messages: [user, asked, answered] }, answerOf({ text, finish: "stop" })),
      ...more,
    ],
  };
}

const reduce = requestReducer(createMask([]));

test.each<[string, Written]>([
  ["in every part", {}],
  ["but for ids", { id: "call_9" }],
  ["with arguments as text", { given: '{ "id": 7 }' }],
  ["with results in an envelope", { result: '{"result":"sent"}' }],
])("two recordings play back the same: %s", (_, written) => {
  expect(isSameRun(runOf(), runOf(written), reduce)).toBe(true);
});

test.each<[string, Written]>([
  ["with other arguments", { given: { id: 8 } }],
  ["with another result", { result: "lost" }],
  ["with another system prompt", { request: { system: "You help!" } }],
  ["without tool definitions", { request: { tools: null } }],
  ["with another parameter", { request: { parameters: { temperature: 1 } } }],
  ["with another answer", { text: "It is lost." }],
  ["with one call more", { more: runOf().exchanges.slice(1) }],
  ["with another query", { query: "Where is order 8?" }],
])("two recordings do not play back the same: %s", (_, written) => {
  expect(isSameRun(runOf(), runOf(written), reduce)).toBe(false);
  expect(isSameRun(runOf(written), runOf(), reduce)).toBe(false);
});
