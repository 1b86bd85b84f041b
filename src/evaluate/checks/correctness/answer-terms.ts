import { type ComparedText, comparedText } from "./compared-text.ts";

/** Whether a term occurs in an answer. */
type Occurs = (answer: ComparedText, term: ComparedText) => boolean;

/** In NFC, without characters that do not show, case ignored. A term of nothing else counts as it is written. */
export const occursVisibly: Occurs = (answer, { written, visible }) =>
  visible === "" ? answer.written.includes(written) : answer.visible.includes(visible);

/** As written or folded (NFKC, without characters that do not show), case ignored. */
export const occursAnyhow: Occurs = (answer, { written, folded }) =>
  answer.written.includes(written) || (folded !== "" && answer.folded.includes(folded));

/** The terms of a rule, folded once for all runs. */
export class AnswerTerms {
  readonly #written: readonly string[];
  readonly #terms: readonly ComparedText[];
  readonly #occurs: Occurs;

  constructor(written: readonly string[], occurs: Occurs) {
    this.#written = written;
    this.#terms = written.map((term) => comparedText(term));
    this.#occurs = occurs;
  }

  /** The place of the first term that does (or does not) occur in the answer; -1 for none. */
  first(answer: ComparedText, occurring: boolean): number {
    return this.#terms.findIndex((term) => this.#occurs(answer, term) === occurring);
  }

  /** All of them, as written. */
  all(answer: ComparedText, occurring: boolean): readonly string[] {
    return this.#written.filter((_, at) => this.#occursAt(answer, at) === occurring);
  }

  /** Those that occur, but not as they are written. */
  disguised(answer: ComparedText): readonly string[] {
    return this.#written.filter(
      (_, at) => this.#occursAt(answer, at) && !answer.written.includes(this.#terms[at]?.written ?? ""),
    );
  }

  #occursAt(answer: ComparedText, at: number): boolean {
    const term = this.#terms[at];
    return term !== undefined && this.#occurs(answer, term);
  }
}
