import { expect, test } from "vitest";
import { runsOfTurns } from "../../src/match/turns.ts";
import type { AgentRun } from "../../src/model/run.ts";

const cancel = "I want to cancel";
const goAhead = "Yes, go ahead";
const weather = "What is the weather?";

function assigned(turns: readonly string[], asked: readonly (string | null)[]): readonly (number | null)[] {
  const runs = asked.map((query, at) => ({ query, answer: `answer ${at}` }) as AgentRun);
  const found = runsOfTurns(
    turns.map((text) => ({ text })),
    runs,
  );
  return found.runs.map((run) => (run === null ? null : runs.indexOf(run)));
}

test.each<[string, readonly string[], readonly (string | null)[], readonly (number | null)[]]>([
  ["the order decides where texts are missing", [cancel, goAhead], [cancel, null], [0, 1]],
  [
    "a known text of another question excludes the order",
    [cancel, goAhead, "Thanks"],
    [cancel, weather, null],
    [0, null, null],
  ],
  [
    "a turn for any text takes the run at its place",
    [cancel, "*", "Thanks"],
    [cancel, weather, null],
    [0, 1, 2],
  ],
  [
    "a known text that comes later is found",
    [cancel, goAhead, "Thanks"],
    [cancel, null, goAhead],
    [0, 2, null],
  ],
])("%s", (_, turns, asked, expected) => {
  expect(assigned(turns, asked)).toEqual(expected);
});
