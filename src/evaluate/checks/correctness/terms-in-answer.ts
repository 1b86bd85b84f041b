import { z } from "zod";
import { defineCheck, type CheckSettings } from "../check.ts";
import { known, pass, skip, violated } from "../../result/finding.ts";
import { quoted } from "../../rules/text.ts";
import { rootSpan, withoutAnswer } from "./answer.ts";
import { answerIn, beginIn, type ComparedText, comparedText, withoutNoBreak } from "./compared-text.ts";
import { occursWhere, occursWithWholeNumbers } from "../../rules/whole-values.ts";

/**
 * Whether a term occurs in an answer, in the `visible` form of both. A number at the start or end of the term must not be part of a longer
 * number in the answer. A term of only invisible characters is compared as written.
 */
const occursVisibly: Occurs = (answer, term) => {
  if (term.visible.trim() === "") return answer.written.includes(term.written);
  const [text, own] = formsOf(answer, term);
  return occursWithWholeNumbers(text, own, answer.numbers, (at) => hasSameEnds(answer, term, at));
};

/** Like `occursVisibly`, but a number of the term may be part of a longer number. */
const occursInNumbers: Occurs = (answer, term) => {
  if (term.visible.trim() === "") return answer.written.includes(term.written);
  const [text, own] = formsOf(answer, term);
  return occursWhere(text, own, (at) => hasSameEnds(answer, term, at));
};

/** Returns the forms of answer and term that are compared: `visible`, but with line breaks and dashes for markup. */
function formsOf(answer: ComparedText, term: ComparedText): readonly [string, string] {
  return isMarkup(term)
    ? [withoutNoBreak(answer.numbers), withoutNoBreak(term.numbers)]
    : [answer.visible, term.visible];
}

/** Whether a term occurs in an answer, in the `written` or the `folded` form. */
const occursAnyhow: Occurs = (answer, term) =>
  answer.written.includes(term.written) ||
  (isMarkup(term) || hasExactEnd(term)
    ? term.visible.trim() !== "" && occursInNumbers(answer, term)
    : term.folded.trim() !== "" && answer.folded.includes(term.folded));

/**
 * Whether a term has white space or hyphens, but no letters or digits: `- ` is not in `Sorry – no`, and a line break is no space. Also for
 * a term with a dash that is no hyphen: `–` is in `3–5`.
 */
function isMarkup({ visible }: ComparedText): boolean {
  return /[\u2012\u2013]/.test(visible) || (/[\s-]/.test(visible) && !/[\p{L}\p{N}]/u.test(visible));
}

/** Whether a term begins or ends with a line break or hyphen, for which a space or dash in the answer is not enough. */
function hasExactEnd({ numbers }: ComparedText): boolean {
  return /^[\n-]|[\n-]$/.test(numbers);
}

/**
 * Whether the answer has the line breaks and hyphens at the ends of a term: `\nNote` is not in `a note`, and `-5` is not in `3–5`. A dash
 * after a space can be a minus sign: `-5` is in `about –5`.
 */
function hasSameEnds(answer: ComparedText, term: ComparedText, at: number): boolean {
  const end = at + term.numbers.length - 1;
  const isSame = (own: string | undefined, its: string | undefined): boolean =>
    own === "\n" ? its === "\n" : own !== "-" || !/[\u2012\u2013]/.test(its ?? "");
  const isMinus = /^-\S/.test(term.visible) && /\s/.test(answer.numbers[at - 1] ?? "");
  return (
    (isMinus || isSame(term.numbers[0], answer.numbers[at])) &&
    isSame(term.numbers.at(-1), answer.numbers[end])
  );
}

/** Whether a term occurs in an answer in the `written` form, as in promptfoo's `icontains` and EvalView's `contains`. */
const occursAsWritten: Occurs = (answer, { written }) => answer.written.includes(written);

/** Returns the preset's comparison of terms; `usual` if the preset defines none. */
function comparedUnder({ preset }: CheckSettings, usual: Occurs): Occurs {
  return preset === "promptfoo" || preset === "evalview" ? occursAsWritten : withoutMarks(usual);
}

/** Also finds terms in the answer without its Markdown emphasis. */
function withoutMarks(occurs: Occurs): Occurs {
  return (answer, term) =>
    occurs(answer, term) || (answer.unmarked !== undefined && occurs(answer.unmarked, term));
}

/** The terms of one check. The compared forms of the terms are computed once for each compiled check. */
class AnswerTerms {
  readonly #written: readonly string[];
  readonly #terms: readonly ComparedText[];
  readonly #occurs: Occurs;

  constructor(written: readonly string[], occurs: Occurs) {
    this.#written = written;
    this.#terms = written.map((term) => comparedText(term));
    this.#occurs = occurs;
  }

  /** Returns the index of the first term that occurs in the answer (that does not occur, if `occurring` is false), or -1. */
  first(answer: ComparedText, occurring: boolean): number {
    return this.#terms.findIndex((term) => this.#occurs(answer, term) === occurring);
  }

  /** Returns all terms that occur in the answer (that do not occur, if `occurring` is false), in the spec's spelling. */
  all(answer: ComparedText, occurring: boolean): readonly string[] {
    return this.#written.filter((_, at) => this.#occursAt(answer, at) === occurring);
  }

  /** Returns the terms that occur in the answer only inside a longer number. */
  insideNumbers(answer: ComparedText): readonly string[] {
    return this.#written.filter((_, at) => {
      const term = this.#terms[at];
      return term !== undefined && !this.#occurs(answer, term) && occursInNumbers(answer, term);
    });
  }

  /** Returns the terms that occur in the answer only in the `folded` form, such as full-width letters. */
  disguised(answer: ComparedText): readonly string[] {
    return this.#written.filter(
      (term, at) =>
        this.#occursAt(answer, at) &&
        ![answer, answer.unmarked].some((form) => form?.written.includes(this.#terms[at]?.written ?? term)),
    );
  }

  #occursAt(answer: ComparedText, at: number): boolean {
    const term = this.#terms[at];
    return term !== undefined && this.#occurs(answer, term);
  }
}

const terms = z.array(z.string());
/** Schema of terms of which a single occurrence decides the check. An empty term is invalid, because it occurs in every answer. */
const decidingTerms = z.array(z.string().min(1, "text that is not empty"));

/** Check for AgentCI's `expected_in_answer`. */
export const expectedInAnswer = defineCheck({
  key: "expected_in_answer",
  layer: "correctness",
  summary: "Every term occurs in the answer.",
  details:
    "Case (`ß` equals `ss`), Unicode form (NFC), typographic quotation marks, hyphens, minus signs and the dash of `3–5`, kind and amount of white space, and invisible characters make no difference, nor does Markdown emphasis in the answer: `5 days` is in `**5** days`. A line break or hyphen at the beginning or end of a term is no space or dash: `\\n# ` finds headings. A number at the beginning or end of a term must be a complete number in the answer: `2.40` is not in `12.40`; `9` is in `9:00`, but not in `9.5` or `-9`; `200` is not in `1 200` if the space is a no-break space. An empty list passes. The message names all missing terms.",
  limit: terms,
  prepare(limit, settings) {
    if (refutes(settings)) return () => suspended;
    const wanted = new AnswerTerms(limit, comparedUnder(settings, occursVisibly));
    const has = known(pass(true, "the answer has every expected term"));
    return (context) => {
      const answer = answerIn(context.metrics);
      if (answer === null) return withoutAnswer(context);
      if (wanted.first(answer, false) === -1) return has;
      const absent = wanted.all(answer, false);
      const inside = wanted.insideNumbers(answer);
      const part = inside.length === 0 ? "" : `; ${quoted(inside)} only inside another number`;
      const message = `the answer lacks ${quoted(absent)}${part}`;
      return violated(false, message, { ...rootSpan(context), faults: absent });
    };
  },
});

/** Check for AgentCI's `any_expected_in_answer`. */
export const anyExpectedInAnswer = defineCheck({
  key: "any_expected_in_answer",
  layer: "correctness",
  summary: "At least one term occurs in the answer.",
  details: "Terms are compared as in `expected_in_answer`.",
  limit: decidingTerms.min(1),
  prepare(limit, settings) {
    const wanted = new AnswerTerms(limit, comparedUnder(settings, occursVisibly));
    const hits = limit.map((term) => known(pass(true, `the answer has ${JSON.stringify(term)}`)));
    return (context) => {
      const answer = answerIn(context.metrics);
      if (answer === null) return withoutAnswer(context);
      return (
        hits[wanted.first(answer, true)] ??
        violated(false, `the answer has none of ${quoted(limit)}`, rootSpan(context))
      );
    };
  },
});

/** Check for AgentCI's `not_in_answer`. */
export const notInAnswer = defineCheck({
  key: "not_in_answer",
  layer: "correctness",
  summary: "No term occurs in the answer.",
  details:
    "Searches the answer as written, without Markdown emphasis, and in the Unicode form NFKC without invisible characters. So a term is also found if the answer has full-width or styled letters, typographic apostrophes, hyphens or dashes, or other white space, except for a line break or hyphen at the beginning or end of a term. Case makes no difference. A number is also found inside a longer number. An empty list passes. A term in the answer fails an incomplete run, too.",
  limit: decidingTerms,
  undoable: false,
  prepare(limit, settings) {
    if (refutes(settings)) return () => suspended;
    const unwanted = new AnswerTerms(limit, comparedUnder(settings, occursAnyhow));
    const clean = known(pass(true, "no forbidden term in the answer"));
    return (context) => {
      const answer = answerIn(context.metrics) ?? beginIn(context.run);
      if (answer === null) return withoutAnswer(context);
      if (unwanted.first(answer, true) === -1)
        return context.run.answer === null ? withoutAnswer(context) : clean;
      const present = unwanted.all(answer, true);
      const disguised = unwanted.disguised(answer);
      const form =
        disguised.length === 0
          ? ""
          : `; ${quoted(disguised)} in other characters, such as full-width letters`;
      const message = `the answer has ${quoted(present)}, which must not occur${form}`;
      return violated(false, message, { ...rootSpan(context), faults: present });
    };
  },
});

/**
 * Whether the query has AgentCI's `refutes_premise: true`, which suspends `expected_in_answer` and `not_in_answer`, because an agent that
 * corrects a false premise must name the premise.
 */
function refutes(settings: CheckSettings): boolean {
  return settings.beside("refutes_premise") === true;
}

const suspended = known(skip("suspended by refutes_premise: a correction may use any of these words"));

type Occurs = (answer: ComparedText, term: ComparedText) => boolean;
