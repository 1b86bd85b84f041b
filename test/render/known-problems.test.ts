import { describe, expect, test } from "vitest";
import { knownProblems } from "../../src/report/render/problems/known-problems.ts";
import { type CheckJson, resultSchema, type VerdictJson } from "../../src/report/json/verdict-schema.ts";
import { verdictJson } from "../../src/report/json/verdict-json.ts";
import { evaluated } from "../support/evaluated.ts";
import { resultJson } from "../support/result-json.ts";
import { resultOf } from "../support/result-of.ts";

const failing = verdictJson(
  evaluated({ correctness: { expected_in_answer: ["alpha"] } }, { answer: "nothing" }),
);
const isTerm = ({ check }: CheckJson): boolean => check === "expected_in_answer";

/** The verdict with its failing check changed. */
function having(change: Partial<CheckJson>, about: Partial<VerdictJson> = {}): VerdictJson {
  const { correctness } = failing.layers;
  const checks = correctness.checks.map((one) => (isTerm(one) ? { ...one, ...change } : one));
  return { ...failing, ...about, layers: { ...failing.layers, correctness: { ...correctness, checks } } };
}

const judge = (rubric: string) => ({
  check: "llm_judge",
  limit: null,
  judge: {
    rubric,
    model: "m",
    score: 1,
    label: "fail",
    rationale: null,
    votes: [],
    duration_ms: 1,
    cached: false,
    prompt_hash: "h",
  },
});
const row = (query: string, id: string, line: number): Partial<VerdictJson> => ({
  query,
  query_id: id,
  row: { file: "cases.csv", line },
});
const wild = (query: string | null): Partial<VerdictJson> => ({
  query,
  match: { how: "wildcard", score: 1 },
});

function compare(old: VerdictJson, now: VerdictJson): string {
  const result = resultSchema.parse(resultJson(resultOf({ verdicts: [] })));
  return knownProblems({ ...result, verdicts: [old] }).compare(now);
}

describe("a finding is the same where query, check, rubric, turn and what is at fault are", () => {
  const limit = ["a", "b"];
  const pattern = (text: string) => having({ check: "regex_match", limit: text });
  const faulty = (fault: string) => having({ faults: [fault] });
  const lacking = (what: string) => having({ outcome: "incomplete", missing: [what] });
  const inRow = (...given: Parameters<typeof row>) => having({}, row(...given));
  test.each<[string, VerdictJson, VerdictJson, string]>([
    ["the same", failing, failing, "covered"],
    ["the same rubric", having(judge("kind")), having(judge("kind")), "covered"],
    ["another rubric", having(judge("kind")), having(judge("short")), "new"],
    ["the same turn", having({ turn: 2 }), having({ turn: 2 }), "covered"],
    ["another turn", having({ turn: 2 }), having({ turn: 3 }), "new"],
    ["a turn, where it was the whole", failing, having({ turn: 1 }), "new"],
    ["another pattern", pattern("a+"), pattern("b+"), "new"],
    ["another field", faulty("/total must be number"), faulty("/id must be string"), "new"],
    ["a row by its text, though it moved", inRow("A?", "c-1", 2), inRow("A?", "c-2", 3), "covered"],
    ["another row with the id of the first", inRow("A?", "c-1", 2), inRow("B?", "c-1", 2), "new"],
    ["the same question under *", having({}, wild("Why?")), having({}, wild("why")), "covered"],
    ["another question under *", having({}, wild("Why?")), having({}, wild("How?")), "new"],
    ["a question that was not captured", having({}, wild(null)), having({}, wild(null)), "unclear"],
    ["another spec", failing, { ...failing, spec: "other" }, "new"],
    ["a failure that only warned", having({ outcome: "warn" }), failing, "new"],
    ["a warning that failed", failing, having({ outcome: "warn" }), "covered"],
    ["no evidence, where it failed", failing, lacking("answer"), "new"],
    ["other evidence that is missing", lacking("usage"), lacking("answer"), "new"],
    ["what the saved result does not say", having({ limit }), having({ limit, faults: ["a"] }), "unclear"],
  ])("%s", (_, old, now, expected) => {
    expect(compare(old, now)).toBe(expected);
  });
});
