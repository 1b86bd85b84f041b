import { foldCase } from "../../evaluate/rules/fold-case.ts";
import { plainQuotes } from "../../evaluate/rules/plain-quotes.ts";

const ascii = /^[\x20-\x7e]*$/;
/** Matches printable ASCII with single spaces between words. */
const tidyAscii = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;
const whiteSpace = /[\s\p{Cc}\u00ad\u200b\u2060\ufeff]+/gu;
const endPunctuation = new Set(" .!?,;:…。、।॥؟؛،۔");

/**
 * Normalises a text: NFKC, lower case, single spaces, plain quotation marks, no end punctuation (except in a text of punctuation only).
 * Keeps mathematical differences: `x²` is not `x2`, `1½` is not `11/2`, `5!` is not `5`. Idempotent.
 */
export function normaliseText(text: string): string {
  if (tidyAscii.test(text)) return withoutEnd(text).toLowerCase();
  let current = once(text);
  // Lower case can create characters that NFKC changes again. All known texts are stable after two passes.
  for (let pass = 0; pass < 4 && !ascii.test(current); pass++) {
    const next = once(current);
    if (next === current) break;
    current = next;
  }
  return current;
}

function once(text: string): string {
  const tidy = tidyText(text);
  return ascii.test(tidy) ? tidy.toLowerCase() : tidyText(foldCase(tidy));
}

/** Normalises a text like `normaliseText`, but keeps its case, so that captured texts look as the user wrote them. */
export function tidyText(text: string): string {
  if (tidyAscii.test(text)) return withoutEnd(text);
  const composed = ascii.test(text) ? text : plainQuotes(raised(text).normalize("NFKC"));
  return withoutEnd(composed.replaceAll(whiteSpace, " ").trim());
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻";
const subscripts = "₀₁₂₃₄₅₆₇₈₉₊₋";
const signs = "0123456789+-";

/** Rewrites superscripts, subscripts and fractions, because NFKC would change `x²` to `x2`. */
function raised(text: string): string {
  return text
    .replace(/[⁰¹²³⁴-⁹⁺⁻]+/gu, (run) => `^${onTheLine(run, superscripts)}`)
    .replace(/[₀-₉₊₋]+/gu, (run) => `_${onTheLine(run, subscripts)}`)
    .replace(/(?<=\p{N})(?=[¼-¾⅐-⅞↉])/gu, " ");
}

function onTheLine(run: string, from: string): string {
  return run.replace(/./gu, (one) => signs.charAt(from.indexOf(one)));
}

/**
 * Removes end punctuation, except from a text of punctuation only. A loop is used, because a regular expression would try every sequence of
 * punctuation in the text.
 */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && endPunctuation.has(text.charAt(end - 1)) && !isOperator(text, end - 1)) end--;
  return end === 0 ? text : text.slice(0, end);
}

const operand = /(?:\d|(?:^|[^\p{L}\p{N}'])\p{L}|\([^()]{0,40}[-+*/^\d][^()]{0,40}\))!{0,2}$/u;

/** Whether the mark at the end is mathematical: `!` in `5!`, `n!` and `(n+1)!`, `?` in `2 + 2 = ?`. */
function isOperator(text: string, at: number): boolean {
  const mark = text.charAt(at);
  if (mark === "?") return /= ?$/.test(text.slice(Math.max(0, at - 2), at));
  return mark === "!" && operand.test(text.slice(Math.max(0, at - 100), at));
}
