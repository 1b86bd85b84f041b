import type { JsonValue } from "../../../model/json.ts";
import { normalizeAnswer, similarAtLeast } from "../../statistics/estimates/similarity.ts";
import { similarity } from "../../../match/rules/similarity.ts";

/** Maximum number of characters of a text that are compared. */
const COMPARED = 2_000;

/** Returns the similarity of two answers, from 0 to 1, without regard to white space and case. */
export function answerSimilarity(before: string, after: string): number {
  const a = normalizeAnswer(before);
  const b = normalizeAnswer(after);
  if (a === b) return 1;
  const alike = similarity(a.slice(0, COMPARED), b.slice(0, COMPARED));
  // Limits the similarity of different answers to less than 1. Two long texts may be equal in the compared
  // characters.
  return Math.min(alike, 1 - 1 / (Math.max(a.length, b.length) + 1));
}

/** Minimum similarity of answers that are considered equal, as in EvalView. */
const SAME_ANSWER = 0.95;

/** Whether two answers are similar enough to be considered equal. */
export function sameAnswer(before: string, after: string): boolean {
  return similarAtLeast(normalizeAnswer(before), normalizeAnswer(after), SAME_ANSWER);
}

/**
 * Returns the similarity of two JSON values, from 0 to 1. Values that are not texts are compared as JSON
 * text.
 */
export function valueSimilarity(before: JsonValue, after: JsonValue): number {
  return answerSimilarity(wordingOf(before), wordingOf(after));
}

function wordingOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
