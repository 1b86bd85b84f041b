import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../src/model/json.ts";
import type { JudgeSettings } from "../../src/evaluate/judge/settings.ts";
import { adherence, answeredAdherence, readClassified } from "../../src/evaluate/judge/checks/topics.ts";
import { runOf } from "../support/run-of.ts";
import { judgedOnce, message } from "./support/judging.ts";
import { replied, said, scriptedPort } from "./support/scripted-port.ts";

/** The flight example of Spring AI RAGAS. */
const flight = runOf({
  query: "I need to book a flight to Paris for next Monday",
  answer: "Done! Your confirmation number is AF12345.",
  messages: [
    message("user", "I need to book a flight to Paris for next Monday"),
    {
      ...message("assistant", "I'll help you book a flight."),
      calls: [{ id: "1", name: "search_flights", arguments: { destination: "Paris" } }],
    },
    {
      ...message("tool", ""),
      results: [{ callId: "1", name: "search_flights", content: "Air France 10:00", isError: false }],
    },
    message("assistant", "Done! Your confirmation number is AF12345."),
  ],
});

const achieved = (yes: boolean): JsonValue => ({ achieved: yes, rationale: "r" });
const ensemble = { ensemble: { enabled: true, models: ["a", "b", "c"] } };

describe("goal_accuracy", () => {
  test("with a reference compares the whole conversation with it", async () => {
    const port = scriptedPort(() => replied(achieved(true)));
    const reference = "Successfully book a flight to Paris for the user";
    const result = await judgedOnce({ port, run: flight, correctness: { goal_accuracy: { reference } } });

    expect(result).toMatchObject({ outcome: "pass", value: 1, limit: 0.5, metric: "goal_accuracy" });
    expect(port.asked).toHaveLength(1);
    expect(port.asked[0]?.system).toContain(reference);
    for (const part of ["search_flights", "Air France 10:00", "AF12345"])
      expect(port.asked[0]?.user).toContain(part);
  });

  test("without one infers the goal first, from the first model that answers", async () => {
    const port = scriptedPort(({ system, model }) => {
      if (!system.includes("wanted to get done")) return replied(achieved(model !== "c"));
      return model === "a" ? "down" : replied({ goal: "fly to Paris" });
    });
    const result = await judgedOnce({
      port,
      run: flight,
      settings: ensemble,
      correctness: { goal_accuracy: 0.5 },
    });

    expect(result).toMatchObject({ outcome: "pass", value: 2 / 3 });
    expect(port.asked.map((it) => it.model)).toEqual(["a", "b", "a", "b", "c"]);
    expect(port.asked.at(-1)?.user).toContain("fly to Paris");
    expect(port.asked.at(-1)?.system).not.toContain("fly to Paris");
  });

  test("is an error below the quorum, unless a smaller one is written", async () => {
    const one = () => scriptedPort(({ model }) => (model === "a" ? replied(achieved(true)) : "down"));
    const judged = (settings: JudgeSettings, correctness: Readonly<Record<string, JsonValue>>) =>
      judgedOnce({ port: one(), run: flight, settings, correctness });
    const own = { reference: "fly", models: ["a", "b", "c"] };

    expect(await judged(ensemble, { goal_accuracy: "fly" })).toMatchObject({
      outcome: "error",
      value: null,
      message: expect.stringContaining("1 of 3 judges replied, the quorum is 2"),
    });
    expect(await judged({}, { goal_accuracy: own })).toMatchObject({ outcome: "error" });
    expect(await judged({ ensemble: { quorum: 1 } }, { goal_accuracy: own })).toMatchObject({
      outcome: "pass",
      value: 1,
    });
  });

  test("is an error, and no failure, where no judge replies", async () => {
    const down = { port: scriptedPort(() => "down"), run: flight };
    for (const goal_accuracy of ["fly", 1])
      expect(await judgedOnce({ ...down, correctness: { goal_accuracy } })).toMatchObject({
        outcome: "error",
      });
  });

  test("is not judged while the last answer is missing", async () => {
    const port = scriptedPort(() => replied(achieved(false)));
    const run = { ...flight, answer: null, messages: flight.messages.slice(0, -1) };
    expect(await judgedOnce({ port, run, correctness: { goal_accuracy: "fly" } })).toMatchObject({
      outcome: "incomplete",
    });
    expect(port.asked).toEqual([]);
  });

  test("sees an answer that an earlier turn gave, too", async () => {
    const port = scriptedPort(() => replied(achieved(true)));
    const messages = [message("user", "one"), message("assistant", "Done."), message("user", "two")];
    const run = runOf({ query: "two", answer: "Done.", messages });
    await judgedOnce({ port, run, correctness: { goal_accuracy: "fly" } });
    expect(port.asked[0]?.user).toContain("user: two\n\nassistant: Done.");
  });

  test("understands a model that answers with a label instead", async () => {
    const port = scriptedPort(() => replied(said(5, "pass")));
    expect(await judgedOnce({ port, run: flight, correctness: { goal_accuracy: "fly" } })).toMatchObject({
      value: 1,
    });
  });
});

describe("topic_adherence", () => {
  const topics = ["machine learning", "artificial intelligence", "supervised learning"];
  const classified = (...of: number[][]): JsonValue => ({
    rationale: "r",
    topics: of.map((allowed, i) => ({ topic: i + 1, allowed })),
  });

  test.each([
    ["names an allowed topic that does not exist", classified([4], [])],
    ["leaves a topic out", classified([1])],
    [
      "classifies one twice",
      {
        topics: [
          { topic: 1, allowed: [] },
          { topic: 1, allowed: [1] },
        ],
      },
    ],
    ["classifies one that does not exist", classified([], [], [1])],
  ])("refuses a reply that %s", (_, json) => {
    expect(readClassified(json, 2, topics)).toMatchObject({ ok: false });
  });

  test("covers an allowed topic once, however many topics belong to it", () => {
    expect(
      adherence({ onTopic: [true, true], covered: [1, 1], answered: null, rationale: "" }, 2).recall,
    ).toBe(0.5);
  });
});

describe("topic_adherence, variant ragas-python", () => {
  const topics = ["weather in Rome", "tax advice"];
  const classified = (
    ...entries: readonly (readonly [allowed: boolean, declined: boolean])[]
  ): JsonValue => ({
    rationale: "r",
    topics: entries.map(([allowed, declined], at) => ({
      topic: at + 1,
      allowed: allowed ? [1] : [],
      declined,
    })),
  });
  const judged = (mode: string, reply: JsonValue) => {
    const port = scriptedPort(({ system }) =>
      replied(system.includes("You list the distinct topics") ? { topics } : reply),
    );
    const limit = { topics: ["weather"], variant: "ragas-python", mode };
    return judgedOnce({ port, run: flight, correctness: { topic_adherence: limit } }).then((result) => ({
      result,
      port,
    }));
  };

  test.each([
    ["f1", classified([true, false], [false, true]), 1],
    ["precision", classified([true, false], [false, false]), 0.5],
    ["recall", classified([true, true], [true, false]), 0.5],
    ["f1", classified([true, true], [false, false]), 0],
  ])("%s counts what was declined", async (mode, reply, value) => {
    const { result, port } = await judged(mode, reply);
    expect(result).toMatchObject({ value, outcome: value >= 0.5 ? "pass" : "fail" });
    expect(port.asked[0]?.system).toContain("that the user raises");
    expect(port.asked[1]?.user).toContain("AF12345");
  });

  test("is skipped where every topic was declined and none is allowed, which Ragas counts as 0", async () => {
    const { result } = await judged("f1", classified([false, true], [false, true]));
    expect(result).toMatchObject({ outcome: "skip", value: null });
    expect(answeredAdherence({ onTopic: [false], answered: [true], covered: [], rationale: "" })).toEqual({
      precision: 0,
      recall: null,
      f1: 0,
    });
  });

  test("a reply that does not say what was declined cannot be used", async () => {
    const { result } = await judged("f1", {
      rationale: "r",
      topics: [
        { topic: 1, allowed: [1] },
        { topic: 2, allowed: [] },
      ],
    });
    expect(result).toMatchObject({ outcome: "error" });
  });
});
