import { describe, expect, it } from "vitest";
import {
  agentSpan,
  asks,
  chatAttributes,
  chatSpan,
  inputMessages,
  type Message,
  outputMessages,
  returns,
  tokenCounts,
  toolSpan,
  words,
} from "../support/genai.ts";
import { document, span } from "../support/otlp.ts";
import { replayedOne } from "../support/replayed.ts";

/** APIs without call ids: some recorders number the calls of each answer, so each answer has a call with the id `call_0`. */

const question = words("user", "Is the gate open, and the bridge?");
const gate = asks("call_0", "look_at", { place: "gate" });
const bridge = asks("call_0", "look_at", { place: "bridge" });
const answer = words("assistant", "The gate is open, the bridge is closed.");

const call = (at: number, inputs: readonly Message[], output: Message): ReturnType<typeof chatSpan> =>
  chatSpan(`c${at}`, "a", at, {
    ...inputMessages(...inputs),
    ...outputMessages(output),
    ...tokenCounts(10, 2),
  });
const root = agentSpan("a", undefined, "keeper", 0, 100);
const first = returns("call_0", "open");
const second = returns("call_0", "closed");

const look = (id: string, at: number, place: string, result: string): ReturnType<typeof toolSpan> =>
  toolSpan(id, "a", "look_at", at, {
    "gen_ai.tool.call.id": "call_0",
    "gen_ai.tool.call.arguments": JSON.stringify({ place }),
    "gen_ai.tool.call.result": result,
  });

describe("a call id that a later answer repeats", () => {
  it("does not show which of the calls a tool span belongs to; its arguments do", async () => {
    const run = await replayedOne(
      document([
        root,
        call(1, [question], gate),
        look("t1", 15, "gate", "open"),
        call(30, [question, gate, first], bridge),
        look("t2", 45, "bridge", "closed"),
        call(60, [question, gate, first, bridge, second], answer),
      ]),
    );
    expect(run.tools).toMatchObject([
      { arguments: { place: "gate" }, result: "open" },
      { arguments: { place: "bridge" }, result: "closed" },
    ]);
  });

  it("is of one call if the tool is tried again before the next model call", async () => {
    const run = await replayedOne(
      document([
        root,
        call(1, [question], gate),
        look("t1", 12, "gate", "busy"),
        look("t2", 20, "gate", "open"),
        call(30, [question, gate, first], bridge),
        look("t3", 45, "bridge", "closed"),
        call(60, [question, gate, first, bridge, second], answer),
      ]),
    );
    expect(run.tools).toMatchObject([{ arguments: { place: "gate" } }, { arguments: { place: "bridge" } }]);
  });

  it("is of a call of its own in each answer, also with the arguments of an earlier call", async () => {
    const third = [question, gate, first, bridge, second];
    const run = await replayedOne(
      document([
        root,
        call(1, [question], gate),
        look("t1", 12, "gate", "open"),
        call(30, [question, gate, first], bridge),
        look("t2", 40, "bridge", "closed"),
        call(50, third, gate),
        look("t3", 60, "gate", "shut"),
        call(70, [...third, gate, returns("call_0", "shut")], answer),
      ]),
    );
    expect(run.tools.map(({ result }) => result)).toEqual(["open", "closed", "shut"]);
  });

  it("is of a call of its own in each of many answers", async () => {
    const times = 2_000;
    const spans = Array.from({ length: times }, (_, at) => {
      const ask = asks("call_0", "look_at", { place: `place ${at}` });
      const before = at === 0 ? [] : [asks("call_0", "look_at", { place: `place ${at - 1}` }), first];
      return call(at * 20, [question, ...before], ask);
    });
    const run = await replayedOne(
      document([agentSpan("a", undefined, "keeper", 0, times * 20 + 10), ...spans]),
    );
    expect(run.tools).toHaveLength(times);
  });

  it("is of the same call if a history has the arguments in another form", async () => {
    const copy = asks("call_0", "look_at", { place: "gate", kind: "look_at" });
    const run = await replayedOne(
      document([root, call(1, [question], gate), call(30, [question, copy, first], answer)]),
    );
    expect(run.tools).toMatchObject([{ arguments: { place: "gate" }, result: "open" }]);
  });
});

it("a call with an answer, but no duration, is no record of the usage of an earlier call", async () => {
  const answered = { ...outputMessages(answer), ...tokenCounts(10, 2) };
  const last = span("c", "a", "chat small", 30, 30, { ...chatAttributes("small"), ...answered });
  const run = await replayedOne(document([root, toolSpan("t", "a", "look_at", 12), last]));
  expect(run.missing).toContainEqual(expect.objectContaining({ what: "llm_calls" }));
});
