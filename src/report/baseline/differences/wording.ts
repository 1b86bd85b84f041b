import type { JsonValue } from "../../../model/json.ts";
import { normalizeAnswer, similarAtLeast } from "../../statistics/estimates/similarity.ts";
import { similarity } from "../../../match/rules/similarity.ts";

/** Maximum number of compared characters; of longer texts only the beginning is compared. */
const COMPARED = 2_000;

/** Returns the similarity of two answers in wording, 0 to 1. White space and case are ignored. */
export function answerSimilarity(before: string, after: string): number {
  const a = normalizeAnswer(before);
  const b = normalizeAnswer(after);
  if (a === b) return 1;
  const alike = similarity(a.slice(0, COMPARED), b.slice(0, COMPARED));
  // Different texts with the same beginning, or the same words in another order, do not count as equal.
  return Math.min(alike, 1 - 1 / (Math.max(a.length, b.length) + 1));
}

/** EvalView's threshold: answers with a lower similarity count as changed. */
const SAME_ANSWER = 0.95;

/** Whether two answers count as the same. */
export function sameAnswer(before: string, after: string): boolean {
  return similarAtLeast(normalizeAnswer(before), normalizeAnswer(after), SAME_ANSWER);
}

/** Returns the similarity of two values; texts and numbers are compared by wording. */
export function valueSimilarity(before: JsonValue, after: JsonValue): number {
  return answerSimilarity(wordingOf(before), wordingOf(after));
}

function wordingOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
