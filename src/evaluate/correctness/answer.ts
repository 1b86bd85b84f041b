import type { CheckContext, Finding } from "../check.ts";
import { incomplete } from "../finding.ts";

/** The verdict of every answer check on a run whose answer was not captured. An empty answer is one. */
export function withoutAnswer(context: CheckContext): Finding {
  return incomplete("answer", "the answer was not captured", context.run.dialects);
}

/** The span that speaks for the answer: the run's root. */
export function answerSpans(context: CheckContext): readonly string[] {
  return [context.run.rootSpanId];
}

const folded = new WeakMap<readonly string[], readonly string[]>();

/** A rule's terms in lower case, folded once for all runs. */
export function foldTerms(terms: readonly string[]): readonly string[] {
  let lower = folded.get(terms);
  if (lower === undefined) folded.set(terms, (lower = terms.map((term) => term.toLowerCase())));
  return lower;
}

/** The terms, as written, that do (or do not) occur in the lower-cased answer. */
export function termsWhere(terms: readonly string[], answer: string, occurring: boolean): readonly string[] {
  const lower = foldTerms(terms);
  return terms.filter((_, at) => answer.includes(lower[at] ?? "") === occurring);
}
