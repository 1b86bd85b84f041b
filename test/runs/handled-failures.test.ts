import { expect, test } from "vitest";
import {
  agentSpan,
  asks,
  chatSpan,
  inputMessages,
  outputMessages,
  tokenCounts,
  toolSpan,
  words,
} from "../support/genai.ts";
import { document, event, span, type Span } from "../support/otlp.ts";
import { replayedOne } from "../support/replayed.ts";

/*
 * A failure is handled if a later model call of the agent's own work follows. A model call that evaluates the answer, updates a memory or
 * checks a text for a guardrail works beside the agent: it neither handles a failure nor makes the run fail.
 */

const threw = {
  status: { code: 2, message: "the desk is closed" },
  events: [event("exception", { "exception.type": "Error", "exception.message": "the desk is closed" }, 40)],
};
const question = words("user", "Is the desk open?");
const answer = words("assistant", "It is open.");

const app: Span = span("app", undefined, "handle", 0, 100);
const agent = (id: string, at: number, end: number, more = {}): Span =>
  agentSpan(id, "app", id, at, end, {}, more);
const chat = (id: string, at: number, parent: string, said: object = answer, more = {}): Span =>
  chatSpan(
    id,
    parent,
    at,
    { ...inputMessages(question), ...outputMessages(said), ...tokenCounts(9, 3) },
    more,
  );
const failedChat = (id: string, at: number, parent: string): Span =>
  chatSpan(id, parent, at, inputMessages(question), threw);
const beside = (kind: string, at: number): Span =>
  span("beside", "app", "check", at, at + 20, { "openinference.span.kind": kind });

const request = asks("c1", "read_sign", {});
const failedAgent = [
  agent("clerk", 1, 40, threw),
  chat("a", 2, "clerk", request),
  toolSpan("t", "clerk", "read_sign", 10),
];
const servedAgent = [agent("clerk", 1, 40), chat("a", 2, "clerk")];

const cases: readonly (readonly [string, "ok" | "error", readonly Span[]])[] = [
  ["an agent failed, and nothing follows", "error", failedAgent],
  [
    "an inner agent failed, and the outer agent answers",
    "ok",
    [
      agent("clerk", 1, 90),
      agentSpan("deputy", "clerk", "deputy", 2, 40, {}, threw),
      chat("a", 3, "deputy", request),
      toolSpan("t", "deputy", "read_sign", 10),
      chat("b", 51, "clerk"),
    ],
  ],
  [
    "an agent failed, and an evaluation calls a model",
    "error",
    [...failedAgent, beside("EVALUATOR", 50), chat("e", 51, "beside")],
  ],
  [
    "an agent failed, and a guardrail calls a model",
    "error",
    [...failedAgent, beside("GUARDRAIL", 50), chat("e", 51, "beside")],
  ],
  [
    "a model call failed, and the agent repeats it",
    "ok",
    [agent("clerk", 1, 40), failedChat("a", 2, "clerk"), chat("b", 20, "clerk")],
  ],
  ["a model call failed, and nothing follows", "error", [agent("clerk", 1, 40), failedChat("a", 2, "clerk")]],
  [
    "a model call failed, and an evaluation calls a model",
    "error",
    [agent("clerk", 1, 40), failedChat("a", 2, "clerk"), beside("EVALUATOR", 50), chat("e", 51, "beside")],
  ],
  [
    "an agent answered, and an evaluation's model call fails",
    "ok",
    [...servedAgent, beside("EVALUATOR", 50), failedChat("e", 51, "beside")],
  ],
  ["an agent answered, and nothing follows", "ok", servedAgent],
];

test.each(cases)("%s: %s", async (_, status, spans) => {
  const run = await replayedOne(document([app, ...spans]));
  expect(run.status).toBe(status);
});
