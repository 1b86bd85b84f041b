import { expect, test, vi } from "vitest";
import type * as detectors from "../../src/support/redact/detectors/detectors.ts";
import { Redactor } from "../../src/support/redact/redactor.ts";

let searched = 0;

/** Counts the characters that are searched. */
vi.mock("../../src/support/redact/detectors/detectors.ts", async (original) => {
  const real = await original<typeof detectors>();
  return {
    ...real,
    replaceDetected: (text: string, wanted: readonly detectors.Detector[]): string => {
      searched += text.length;
      return real.replaceDetected(text, wanted);
    },
  };
});

const message = (turn: number): object => ({
  role: "user",
  content: `turn ${turn}: ${"all kinds of words, ".repeat(40)}`,
});

test("each message of a conversation is searched once, although every later call repeats it", () => {
  const redactor = new Redactor({ keys: ["*secret*"], patterns: [], detectors: ["keys"] });
  const turns = Array.from({ length: 100 }, (_, turn) => message(turn));
  for (let call = 1; call <= turns.length; call++) redactor.text(JSON.stringify(turns.slice(0, call)));

  // A message is searched as a value and as the text it came from, and its keys once more.
  expect(searched).toBeLessThan(3 * JSON.stringify(turns).length);
});
