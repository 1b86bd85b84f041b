import type { Precedence } from "../model/explanation.ts";

/**
 * Rules for contradicting values, for every fact and dialect. The code and `inspect --explain` cite the rules by
 * number. Code that contradicts a rule is a bug.
 */
const sentences = {
  1: "declared values beat inferred ones",
  2: "an answer on the agent's own span beats an answer on a later span, and text before a tool call is not an answer",
  3: "an explicitly set name beats the list of usual names",
  4: "a failure counts once, and never zero times; a tool's own success outranks a failure below it",
  5: "evidence is where the trace says it is: attributes, events, and log records",
  6: "the person's words beat those that a harness wraps around them",
  7: "absent is not zero, and parts are inside a count only where that attribute's convention says so",
} as const;

export type PrecedenceNumber = keyof typeof sentences;

export function precedence(number: PrecedenceNumber): Precedence {
  return { number, sentence: sentences[number] };
}
