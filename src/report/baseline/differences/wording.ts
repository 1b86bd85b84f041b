import type { JsonValue } from "../../../model/json.ts";
import { normalizeAnswer, similarAtLeast } from "../../statistics/estimates/similarity.ts";
import { similarity } from "../../../match/rules/similarity.ts";

/** Number of characters of each text that are compared. Later characters are ignored. */
const COMPARED = 2_000;

/** Returns the similarity of two answers, from 0 to 1. White space and case are ignored. */
export function answerSimilarity(before: string, after: string): number {
  const a = normalizeAnswer(before);
  const b = normalizeAnswer(after);
  if (a === b) return 1;
  const alike = similarity(a.slice(0, COMPARED), b.slice(0, COMPARED));
  // Different answers get a similarity below 1, even if their compared characters are equal.
  return Math.min(alike, 1 - 1 / (Math.max(a.length, b.length) + 1));
}

/** Similarity from which two answers are considered equal, as in EvalView. */
const SAME_ANSWER = 0.95;

export function sameAnswer(before: string, after: string): boolean {
  return similarAtLeast(normalizeAnswer(before), normalizeAnswer(after), SAME_ANSWER);
}

/**
 * Returns the similarity of two JSON values, from 0 to 1. A value that is not a string is compared as JSON
 * text.
 */
export function valueSimilarity(before: JsonValue, after: JsonValue): number {
  return answerSimilarity(wordingOf(before), wordingOf(after));
}

function wordingOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
