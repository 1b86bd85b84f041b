const DIGIT = /\p{Nd}/u;
/** Scripts without spaces between words, or in which particles directly follow a word. */
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Arabic}\p{sc=Hebrew}`;
const WORD = String.raw`(?:(?![${UNSPACED}])[\p{L}\p{N}])`;
const IN_WORD = new RegExp(`^${WORD}`, "u");
const LAST_IN_WORD = new RegExp(`${WORD}\\p{M}*$`, "u");
/**
 * Matches a minus sign before a number. A hyphen after a letter or digit is part of a word, range or code. In `9:00 -10:00`, too, the
 * hyphen can belong to a range.
 */
const SIGN_BEFORE = /(?:−|(?:^|[([{=:,;]|(?<!\p{Nd})\s)[-\u2012\u2013])\p{Sc}?$/u;
/** Matches a hyphen at the beginning of a line, which can begin an item of a list. */
const ITEM_BEFORE = /(?:^|\n)[-\u2012\u2013]\p{Sc}?$/u;
const LEADING_NUMERAL = /^\d+(?:[.,]\d+)*/;
const TRAILING_NUMERAL = /\d+(?:[.,]\d+)*$/;
/** Matches the point of a decimal number without a digit before the point: `.50`. The names `.7z` and `.1.3.6` are no such numbers. */
const POINT_BEFORE = /(?:^|[\s\p{Sc}([])\.$/u;
const STARTS_WITH_DIGITS = /^\d+(?![\d\p{L}]|[.,]\d)/u;
const EXPONENT = /^e[+-]?\d+(?![\p{L}\p{N}])/iu;
const STARTS_WITH_NUMBER = /^\p{Sc}?\.?\d/u;
const BEFORE = /(?:\d+[.,'\u00a0\u2009\u202f])+$/;
const AFTER = /^(?:[.,'\u00a0\u2009\u202f]\d+)+/;
/** Matches zero decimals: `100.00` is 100. `100.000` may be a hundred thousand. */
const ZERO_DECIMALS = /^[.,](?:0{1,2}|0{4,})$/;
const GROUPED = /^\d{1,3}(?:[.,'\u00a0\u2009\u202f]\d{3})+(?:[.,]\d+)?$/;
/** Maximum number of characters around a term that are read as part of its number. */
const LONGEST = 40;

/** Whether a term begins or ends with a digit, so that adjacent digits would change its number. */
function hasNumberAtEnd(term: string): boolean {
  return STARTS_WITH_NUMBER.test(term) || DIGIT.test(term.at(0) ?? "") || DIGIT.test(term.at(-1) ?? "");
}

/**
 * Whether the term occurs in the text, but not as part of a longer or negative number: "2.40" is not in "12.40", "9" is not in "9.5" or
 * "-9". "3.11" is in "3.11.4", which is a version, not a decimal number.
 * @param numbers the text before no-break spaces became plain spaces: "200" is not in "1 200" with a no-break space
 * @param isAccepted further condition for the position of an occurrence
 */
export function occursWithWholeNumbers(
  text: string,
  term: string,
  numbers = text,
  isAccepted = (_at: number): boolean => true,
): boolean {
  const hasNumber = hasNumberAtEnd(term);
  return occursWhere(
    text,
    term,
    (at) => isAccepted(at) && (!hasNumber || hasWholeNumbers(numbers, term, at)),
  );
}

/**
 * Whether the term occurs in the text, but not as part of a longer word, code or number: "Ann" is not in "Annabel", "5 days" is not in "15
 * days" or "-5 days". In scripts without spaces, any occurrence counts.
 * @param numbers see `occursWithWholeNumbers`
 */
export function occursAsWhole(text: string, term: string, numbers = text): boolean {
  return occursWhere(
    text,
    term,
    (at) =>
      !isWithinToken(text, at) &&
      !isWithinToken(text, at + term.length) &&
      hasWholeNumbers(numbers, term, at),
  );
}

export function occursWhere(text: string, term: string, isAccepted: (at: number) => boolean): boolean {
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    if (isAccepted(at)) return true;
  }
  return false;
}

/** Whether a position is inside a word or number. */
function isWithinToken(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const before = LAST_IN_WORD.exec(text.slice(Math.max(0, at - 2), at))?.[0];
  return before !== undefined && IN_WORD.test(text.slice(at, at + 2));
}

function hasWholeNumbers(text: string, term: string, at: number): boolean {
  const end = at + term.length;
  const before = text.slice(Math.max(0, at - LONGEST), at);
  const after = text.slice(end, end + LONGEST);
  const first = LEADING_NUMERAL.exec(term)?.[0];
  const last = TRAILING_NUMERAL.exec(term)?.[0];
  const isNumeral = first === term;
  if (DIGIT.test(term.at(0) ?? "")) {
    if (DIGIT.test(before.at(-1) ?? "")) return false;
    if (POINT_BEFORE.test(before) && STARTS_WITH_DIGITS.test(term)) return false;
    const head = BEFORE.exec(before)?.[0] ?? "";
    const tail = isNumeral ? (AFTER.exec(after)?.[0] ?? "") : "";
    if (head !== "" && isOneNumber(`${head}${first ?? ""}${tail}`)) return false;
  }
  if (DIGIT.test(term.at(-1) ?? "")) {
    if (DIGIT.test(after.at(0) ?? "") || EXPONENT.test(after)) return false;
    const tail = AFTER.exec(after)?.[0] ?? "";
    const head = isNumeral ? (BEFORE.exec(before)?.[0] ?? "") : "";
    if (tail !== "" && !ZERO_DECIMALS.test(tail) && isOneNumber(`${head}${last ?? ""}${tail}`)) return false;
  }
  // Last, because it can search the whole text: in a list, the first occurrence is accepted, and the search ends.
  return !STARTS_WITH_NUMBER.test(term) || !SIGN_BEFORE.test(before) || isListItem(text, before);
}

/** Whether the text before a number ends with the hyphen of a list (`-5 eggs`): at least two lines begin with a hyphen. */
function isListItem(text: string, before: string): boolean {
  if (!ITEM_BEFORE.test(before)) return false;
  const next = text.indexOf("\n-");
  return next >= 0 && (text.startsWith("-") || text.lastIndexOf("\n-") > next);
}

/** Whether a numeral is one decimal or grouped number. Versions, dates and addresses have more parts. */
function isOneNumber(numeral: string): boolean {
  return /^\d+[.,]\d+$/.test(numeral) || GROUPED.test(numeral);
}
