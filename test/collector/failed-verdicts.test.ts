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

test("verdicts that failed are logged, with the query, the run and the reason", () => {
  const { lines, warn } = logged();
  const failed = new FailedVerdicts({ warn } as never, false);
  failed.add(judged("pass", "fail", "warn", "incomplete", "skip", "error"));
  expect(lines.map(({ outcome, message }) => [outcome, message])).toEqual([
    ["fail", "a run failed"],
    ["error", "a run could not be judged"],
  ]);
  expect(lines[0]).toMatchObject({
    spec: expect.any(String),
    query_id: expect.any(String),
    run_id: expect.any(String),
    reason: expect.stringContaining("correctness"),
  });
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
