import type { AgentRun } from "../../../model/run.ts";
import { foldCase } from "../../rules/fold-case.ts";
import { plainQuotes } from "../../rules/plain-quotes.ts";
import type { RunMetrics } from "../../quantities/run-metrics.ts";

/**
 * A text in the forms in which answers and terms are compared. `written` is the text in lower case. `visible` is `written` in NFC, with
 * plain quotation marks, hyphens and minus signs, one plain space for white space, and without invisible characters (Unicode's
 * default-ignorable characters: zero-width spaces, soft hyphens, variation selectors). `numbers` is `visible` with its no-break spaces,
 * which can be inside a number, and with its line breaks and en dashes, at the same positions. `folded` is `visible` in NFKC, in which
 * full-width and styled letters become plain letters.
 */
export interface ComparedText {
  readonly written: string;
  readonly visible: string;
  readonly numbers: string;
  readonly folded: string;
  /** The text without Markdown emphasis, as a reader sees it; absent if the text has no emphasis, and for terms. */
  readonly unmarked?: ComparedText;
}

const ANSWER = Symbol("answer");

/** Returns the run's answer in all forms; null if the answer was not captured. The forms are computed once for each run. */
export function answerIn(metrics: RunMetrics): ComparedText | null {
  const written = metrics.foldedAnswer;
  const { answer } = metrics.run;
  if (written === null || answer === null) return null;
  return metrics.once(ANSWER, () => shownText(answer, written));
}

/**
 * Returns the captured beginning of a truncated answer; null if the answer is complete, or nothing of it was captured. A term in the
 * beginning is also in the full answer.
 */
export function beginIn({ answerBegin }: AgentRun): ComparedText | null {
  return answerBegin === undefined ? null : shownText(answerBegin);
}

/** Returns a text in which terms are searched, in all forms. */
export function shownText(text: string, written = text.toLowerCase()): ComparedText {
  const compared = comparedText(text, written);
  const plain = withoutEmphasis(text);
  return plain === text ? compared : { ...compared, unmarked: comparedText(plain) };
}

/** Matches emphasised and code text of Markdown. Marks inside a word or number are no emphasis. */
const emphasised = /(?<![\p{L}\p{N}])(\*{1,3}|_{1,3}|`{1,3})(?=\S)([^\n]{0,80}?\S)\1(?![\p{L}\p{N}])/gu;
/** Maximum depth of emphasis inside emphasis. */
const DEEPEST = 3;

function withoutEmphasis(text: string): string {
  let plain = text;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const next = plain.replaceAll(emphasised, "$2");
    if (next === plain) break;
    plain = next;
  }
  return plain;
}

export function comparedText(text: string, written = text.toLowerCase()): ComparedText {
  if (!notAscii.test(text)) {
    const numbers = withSingleSpaces(written);
    const visible = numbers.replaceAll("\n", " ");
    return { written, visible, numbers, folded: visible };
  }
  const numbers = folded(text, "NFC");
  return { written, visible: visibleOf(numbers), numbers, folded: visibleOf(folded(text, "NFKC")) };
}

/** Returns a text in NFKC without invisible characters. Unlike `folded`, the text keeps its case and quotation marks. */
export function withoutDisguise(text: string): string {
  return notAscii.test(text)
    ? withoutNoBreak(text.replace(ignorable, "").normalize("NFKC").replace(ignorable, "").normalize("NFKC"))
    : text;
}

const notAscii = /\P{ASCII}/u;
const ignorable = /\p{Default_Ignorable_Code_Point}+/gu;

/**
 * Removes invisible characters before and after normalisation, because normalisation can produce new ones. Normalises again after folding
 * case, because folding can undo the normal form.
 */
function folded(text: string, form: "NFC" | "NFKC"): string {
  const composed = text.replace(ignorable, "").normalize(form).replace(ignorable, "");
  const minus = foldCase(plainQuotes(composed))
    .normalize(form)
    .replaceAll(/\u2212(?=\p{Sc}?\.?\p{Nd})/gu, "-");
  return withSingleSpaces(minus);
}

/** Replaces several white-space characters in a row by one space, or by `\n` if they have a line break. A single no-break space stays. */
function withSingleSpaces(text: string): string {
  return text.replaceAll(/\s{2,}|[\t-\r\u2028\u2029]/gu, (run) =>
    /[\n-\r\u2028\u2029]/.test(run) ? "\n" : " ",
  );
}

/** Replaces an en dash between words or numbers (`3–5 days`) by a hyphen, and line breaks by spaces. A dash alone stays. */
function visibleOf(text: string): string {
  const plain = text.replaceAll(
    /[\u2012\u2013](?<=[\p{L}\p{N}]\p{M}*[^\S\n]?[\u2012\u2013])(?=[^\S\n]?[\p{L}\p{N}])/gu,
    "-",
  );
  return withoutNoBreak(plain).replaceAll("\n", " ");
}

/** Replaces no-break hyphens, no-break spaces and spaces of other widths by plain ones, because models often write such characters. */
export function withoutNoBreak(text: string): string {
  return text.replaceAll(/[\u2010\u2011]/g, "-").replaceAll(/[\u00a0\u2000-\u200a\u202f]/g, " ");
}
