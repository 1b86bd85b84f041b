import { expect, test } from "vitest";
import { type FaultKind, faultNames } from "../../../src/model/fault-kinds.ts";
import type { ModelRequest } from "../../../src/model/model-exchange.ts";
import { FaultyResponder } from "../../../src/model-server/faults/faulty-responder.ts";
import { createMask } from "../../../src/model-server/replay/mask.ts";
import { requestReducer } from "../../../src/model-server/replay/reduce-request.ts";
import { ReplayResponder } from "../../../src/model-server/replay/replay-responder.ts";
import { ReplaySession } from "../../../src/model-server/replay/replay-session.ts";
import { messageOf } from "../../../src/model-server/protocols/messages.ts";
import { answerOf, contextOf, exchangeOf } from "../scripted.ts";

function request(...texts: readonly string[]): ModelRequest {
  return {
    model: "m",
    system: "s",
    messages: texts.map((text) => messageOf("user", { text })),
    tools: [],
    parameters: {},
  };
}

const one = request("Where is order 7?");
const two = request("Who works on Monday?");
/** What the recorded answers are to requests with a fault at the first of them, and what differs from the recording. */
async function played(kind: FaultKind, requests: readonly ModelRequest[]) {
  let ids = 0;
  const replaying = new ReplayResponder((prefix) => `${prefix}${++ids}`);
  const exchanges = [
    exchangeOf(one, answerOf({ text: "It is on its way." })),
    exchangeOf(two, answerOf({ text: "Ada does." })),
  ];
  const session = new ReplaySession({ id: "r", query: "q", exchanges }, requestReducer(createMask([])));
  replaying.open("c1", session);
  const faulty = new FaultyResponder(replaying, { kind, at: 1, isLasting: false });
  const texts: (string | null)[] = [];
  for (const asked of requests) {
    const received = { request: asked, isStreamed: true, previousResponseId: null, body: null };
    const got = await faulty.respond({ ...received, protocol: "openai-chat" }, contextOf("c1"));
    texts.push("status" in got ? null : got.answer.text);
  }
  return { texts: texts.slice(1), divergences: session.divergences().map(({ what }) => what) };
}

const right = ["It is on its way.", "Ada does."];
const disturbing = faultNames.filter((kind) => kind !== "slow" && kind !== "same-tool-again");

test.each(disturbing)(
  "%s: a request that is repeated gets its own answer, whatever came between",
  async (kind) => {
    expect(await played(kind, [one, one, two])).toEqual({ texts: right, divergences: [] });
    expect(await played(kind, [one, two, one])).toEqual({ texts: right.toReversed(), divergences: [] });
  },
);

test.each(["empty", "unknown-tool"] as const)("%s: so does one that goes on from it", async (kind) => {
  const goesOn = request("Where is order 7?", "Say something.");
  expect(await played(kind, [one, two, goesOn])).toEqual({ texts: right.toReversed(), divergences: [] });
});
