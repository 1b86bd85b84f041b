import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ownRecordings, recordingsBelow, requestsOf } from "../../bench/data/real/recordings.ts";
import type { Verdict } from "../../src/model/verdict.ts";
import { createJudgeRun } from "../../src/pipeline/judge-run.ts";
import { verdictJson, verdictJsonText } from "../../src/report/json/verdict-json.ts";
import { replayedRuns } from "../long/runs/assemble.ts";
import { asJson } from "../long/runs/records.ts";
import { arbitraryVerdict } from "../support/arbitrary-verdict.ts";
import { specOf } from "../support/spec-of.ts";
import { verdictObject } from "../support/verdict-object.ts";
import { checkOf, judgedRun, judgeRecordOf, verdictOf } from "../support/verdict-of.ts";

const source = { file: "spec.yaml", line: 3, column: 5 };
const reason = { code: "TOOL_MISSING", step: null, expected: "a", actual: null } as const;
const check = checkOf({ check: "max_cost_usd", layer: "cost", source });

test("the text of any verdict is that of its object", () => {
  fc.assert(
    fc.property(arbitraryVerdict, (verdict) => {
      expect(verdictJsonText(verdict)).toBe(JSON.stringify(verdictObject(verdict)));
    }),
  );
});

const cases: readonly [what: string, given: Partial<Verdict>][] = [
  ["escapes", { run: judgedRun({ query: '"\\\n\u0000\u007f\u2028', answer: "\\" }) }],
  ["lone surrogates", { run: judgedRun({ query: "\ud800", error: "é\udfff" }) }],
  ["numbers that JSON has not", { metrics: metrics({ a: NaN, b: -0, c: Infinity, d: 1e21 }) }],
  ["metrics called by numbers", { metrics: metrics({ b: 1 }, { 10: 2 }, { 2: 3, ["__proto__"]: 4 }) }],
  [
    "attributes called by numbers",
    { run: judgedRun({ attributes: metrics({ b: 1 }, { 10: 2 }, { 2: 3 }) }) },
  ],
  ["a row, an expected failure", { row: { file: "q.csv", line: 2 }, expectedFail: true }],
  ["a source", { run: judgedRun({ source: { file: "d.jsonl", line: 7 } }) }],
  [
    "a conversation",
    { run: judgedRun({ turns: [judgedRun({ source: { file: "d", line: 1 } }), judgedRun()] }) },
  ],
];

/** In the order of the objects, which objects alone do not keep. */
function metrics(...parts: readonly Readonly<Record<string, number>>[]): Map<string, number> {
  return new Map(parts.flatMap((part) => Object.entries(part)));
}

test.each(cases)("%s: the text is that of the object", (_, given) => {
  const verdict = verdictOf([check], given);
  expect(verdictJsonText(verdict)).toBe(JSON.stringify(verdictObject(verdict)));
});

test("a check's text is written anew when anything of it changes", () => {
  const first = { model: "m", score: null, label: "unsure", decided: false, why: "a\tb" };
  const changes = [
    {},
    { metric: "cost" },
    { outcome: "fail" as const },
    { value: -0 },
    { value: { a: [1] } },
    { limit: { max: 1 } },
    { message: "other" },
    { remedy: "do" },
    { missing: ["cost"] },
    { spanIds: ["b7ad6b7169203331"] },
    { reasons: [reason] },
    { faults: ["a"] },
    { turn: 2 },
    { judge: judgeRecordOf({ first }) },
    { waiver: { owner: "o", reason: "r", expires: "2030-01-01" } },
    { expectedFail: true as const },
  ];
  for (const change of [...changes, ...changes.toReversed()]) {
    const verdict = verdictOf([{ ...check, ...change }, { ...check }]);
    expect(verdictJsonText(verdict)).toBe(JSON.stringify(verdictObject(verdict)));
  }
});

test("the verdicts about recorded runs have the text of their objects", () => {
  const spec = specOf(
    readFileSync("bench/spec.yaml", "utf8").replace("agent: agent-service", 'agent: "*"'),
    "bench/spec.yaml",
  );
  const judge = createJudgeRun({ specs: [spec], judgeSkipPolicy: { judge: "off" }, engine: "test" });
  const verdicts = recordingsBelow(ownRecordings).flatMap((recording) =>
    replayedRuns(requestsOf(recording).map(asJson)).flatMap((run) => judge(run).verdicts),
  );
  expect(verdicts.length).toBeGreaterThan(50);
  for (const verdict of verdicts) {
    expect(verdictJsonText(verdict)).toBe(JSON.stringify(verdictObject(verdict)));
    expect(verdictJson(verdict)).toEqual(JSON.parse(verdictJsonText(verdict)));
  }
});
