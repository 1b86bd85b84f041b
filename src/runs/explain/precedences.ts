import type { Precedence } from "../../model/explanation.ts";

/**
 * Rules that decide if values contradict each other, for every fact and dialect. The code and `inspect --explain` cite the rules by number.
 * Code that contradicts a rule is a bug.
 */
const sentences = {
  1: "declared values take precedence over inferred ones",
  2: "an answer on the agent's own span takes precedence over one on a later span; text before a tool call is not an answer",
  3: "an explicitly set name takes precedence over the list of usual names",
  4: "each failure counts exactly once; a tool's own success takes precedence over a failure below it",
  5: "attributes, span events and log records are all read as evidence",
  6: "the user's original text takes precedence over the same text in the wrapper of a harness",
  7: "an absent count is unknown, not zero; a count includes its parts only if the attribute's convention includes them",
} as const;

export type PrecedenceNumber = keyof typeof sentences;

export function precedence(number: PrecedenceNumber): Precedence {
  return { number, sentence: sentences[number] };
}
