import { match, sticky } from "./sticky.ts";

/** Groups of digits that are a code and not a number: telephone, card and account numbers. */
export interface DigitGroups {
  /** Position after the last group. */
  readonly end: number;
  /** Digits of all groups, without separators. */
  readonly digits: string;
  readonly isPhone: boolean;
}

const END = String.raw`(?![\p{L}\p{N}]|[-./:]\p{N})`;
/** Matches telephone numbers of North America, with or without the country code. */
const american = sticky(String.raw`(?:\+?1[-. ]?)?(?:\(\d{3}\) ?|\d{3}([-. ]))\d{3}[-. ]\d{4}${END}`);
const international = sticky(String.raw`(?:\+|00)[1-9]\d{0,3}(?:(?: ?[-./] ?| )?\(?\d{1,9}\)?){1,6}${END}`);
const withAreaInParentheses = sticky(String.raw`\(\d{2,5}\) ?\d{2,8}(?:[- ./]\d{2,8}){0,4}${END}`);
const national = sticky(
  String.raw`(?:0|\(0\) ?)\d{1,5}(?: ?[-/] ?| )\d{1,8}(?:[- ]\d{2,5}){0,4}(?:-\d)?${END}`,
);
const dotted = sticky(String.raw`0\d{1,4}(?:\.\d{2,4}){2,4}${END}`);
const hyphened = sticky(String.raw`\d{1,12}(?:-\d{1,12}){2,7}${END}`);
/** Matches registration numbers such as `11.222.333/0001-81`. */
const marked = sticky(String.raw`\d{2,4}(?:\.\d{3}){2}(?:/\d{4})?-\d{1,2}${END}`);
const card = sticky(String.raw`\d{4}(?:[ -]\d{4}){2,4}${END}`);

const patterns: readonly (readonly [RegExp, isPhone: boolean, leastDigits: number])[] = [
  [american, true, 10],
  [international, true, 8],
  [withAreaInParentheses, true, 7],
  [card, false, 12],
  [national, true, 8],
  [dotted, true, 9],
  [marked, false, 9],
  [hyphened, false, 3],
];

/** Returns the code of digit groups that begins at a position of a plain text, such as `555-0100-17`; undefined if none begins there. */
export function digitGroupsAt(text: string, at: number): DigitGroups | undefined {
  for (const [pattern, isPhone, least] of patterns) {
    const found = match(pattern, text, at)?.[0];
    if (found === undefined) continue;
    const digits = phoneDigits(found);
    if (digits.length >= least && digits.length <= 24) return { end: at + found.length, digits, isPhone };
  }
  return undefined;
}

/** Returns the digits of a telephone number without the prefix `+` or `00`: `4930123` for `+49 (0)30 123` and `0049 30 123`. */
function phoneDigits(written: string): string {
  const digits = written.replace(/^(\+|00).*/s, (whole) => whole.replace("(0)", "")).replace(/\D+/g, "");
  return digits.replace(/^00/, "");
}

const LEAST_LOCAL = 8;

/** Whether two telephone numbers are the same, also if one has a country code and the other a leading zero instead. */
export function isSamePhone(one: string, other: string): boolean {
  if (one === other) return true;
  const [longer, shorter] = one.length >= other.length ? [one, other] : [other, one];
  const local = shorter.replace(/^0/, "");
  const country = longer.length - local.length;
  return (
    local.length >= LEAST_LOCAL &&
    country >= 1 &&
    country <= 3 &&
    !longer.startsWith("0") &&
    longer.endsWith(local)
  );
}
