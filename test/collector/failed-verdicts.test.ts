import { expect, test } from "vitest";
import { FailedVerdicts } from "../../src/collector/terminal/failed-verdicts.ts";
import type { Outcome } from "../../src/model/outcome.ts";
import { verdictOf } from "../support/verdict-of.ts";

interface Line extends Readonly<Record<string, unknown>> {
  readonly message: string;
}

function logged(): { readonly lines: Line[]; readonly warn: (details: object, message: string) => void } {
  const lines: Line[] = [];
  return { lines, warn: (details, message) => void lines.push({ ...details, message }) };
}

const judged = (...outcomes: readonly Outcome[]) => ({
  verdicts: outcomes.map((outcome) => verdictOf([], { outcome })),
});

test("a thousand failures are twenty lines a minute; the next line counts the others", () => {
  const { lines, warn } = logged();
  let nowMs = 0;
  const failed = new FailedVerdicts({ warn } as never, false, () => nowMs);
  for (let n = 0; n < 1000; n++) failed.add(judged("fail"));
  expect(lines).toHaveLength(20);
  nowMs = 60_000;
  failed.add(judged("fail"));
  expect(lines).toHaveLength(21);
  expect(lines[20]).toMatchObject({ suppressed: 980 });
});
