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

/** The terms of a rule, folded once for all runs. */
export class FoldedTerms {
  readonly #written: readonly string[];
  readonly #folded: readonly string[];

  constructor(written: readonly string[]) {
    this.#written = written;
    this.#folded = written.map((term) => term.toLowerCase());
  }

  /** The first term that does (or does not) occur in the lower-cased answer, by its place; -1 for none. */
  first(answer: string, occurring: boolean): number {
    const folded = this.#folded;
    for (let at = 0; at < folded.length; at++) {
      if (answer.includes(folded[at] as string) === occurring) return at;
    }
    return -1;
  }

  /** All of them, as written. */
  all(answer: string, occurring: boolean): readonly string[] {
    return this.#written.filter((_, at) => answer.includes(this.#folded[at] as string) === occurring);
  }
}
