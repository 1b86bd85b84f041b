/** A construct of Python's or JavaScript's regular expressions that RE2 does not support. */
export interface Unsupported {
  /** Name of the construct, such as "look-ahead `(?=`". */
  readonly what: string;
  readonly hint: string | null;
  readonly offset: number;
}

export type Translation =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly unsupported: Unsupported };

/** A construct that is searched at the scanner's position. It has a translation into RE2, or a hint why there is none. */
interface Form {
  readonly at: RegExp;
  readonly rewrite?: (match: readonly string[]) => string;
  readonly what?: string;
  readonly hint?: string;
}

const lookAround = "use two checks: one pattern that must occur, and `not_in_answer` for text that must not";

/** Constructs outside `[…]`. The first one that matches is used. All patterns are sticky, so they match only at the scanner's position. */
const forms: readonly Form[] = [
  { at: /\(\?=/y, what: "look-ahead `(?=`", hint: lookAround },
  { at: /\(\?!/y, what: "negative look-ahead `(?!`", hint: lookAround },
  { at: /\(\?<=/y, what: "look-behind `(?<=`", hint: lookAround },
  { at: /\(\?<!/y, what: "negative look-behind `(?<!`", hint: lookAround },
  { at: /\(\?>/y, what: "atomic group `(?>`", hint: "write `(?:`: RE2 never backtracks" },
  { at: /\(\?P=/y, what: "back-reference `(?P=`" },
  { at: /\(\?\(/y, what: "conditional `(?(`" },
  { at: /\(\?#[^)]*\)/y, rewrite: () => "" },
  {
    at: /\(\?[ims]*x[imsx]*[:)]/y,
    what: "verbose flag `x`",
    hint: "write the pattern without white space and comments",
  },
  { at: /\\k</y, what: "back-reference `\\k<`" },
  { at: /\\[1-9]/y, what: "back-reference `\\1`" },
  { at: /\\Z/y, rewrite: () => String.raw`\z` },
  {
    at: /(?:[*+?]|\{\d+(?:,\d*)?\})\+/y,
    what: "possessive repetition",
    hint: "remove the second `+`: RE2 never backtracks, so it has no effect",
  },
];

/** Python's `{,3}` (at most three times). JavaScript reads it as plain text. */
const openRepetition: Form = { at: /\{,(\d+)\}/y, rewrite: ([, most]) => `{0,${most}}` };

/** Python's `$`, which also matches before a line break at the end of the text. */
const softEnd: Form = { at: /\$/y, rewrite: () => String.raw`(?:\n?\z)` };

/**
 * In Python, `\w`, `\d` and `\s` match characters of all scripts; in RE2, they match only ASCII. `word` and `space` list what Python's `\w`
 * and `\s` match, in the syntax that is used inside `[…]`.
 */
const word = String.raw`\p{L}\p{N}_`;
const space = String.raw`\t-\r\x{1c}-\x{20}\x{85}\p{Z}`;

const allScripts: readonly Form[] = [
  { at: /\\w/y, rewrite: () => `[${word}]` },
  { at: /\\W/y, rewrite: () => `[^${word}]` },
  { at: /\\s/y, rewrite: () => `[${space}]` },
  { at: /\\S/y, rewrite: () => `[^${space}]` },
  { at: /\\d/y, rewrite: () => String.raw`\p{Nd}` },
  { at: /\\D/y, rewrite: () => String.raw`\P{Nd}` },
];

/**
 * Constructs inside `[…]`. There, RE2 cannot express Python's `\W` and `\S`. So both keep RE2's meaning: every character except the ASCII
 * characters of `\w` or `\s`.
 */
const allScriptsInClass: readonly Form[] = [
  { at: /\\w/y, rewrite: () => word },
  { at: /\\s/y, rewrite: () => space },
  { at: /\\d/y, rewrite: () => String.raw`\p{Nd}` },
  { at: /\\D/y, rewrite: () => String.raw`\P{Nd}` },
];

/** The characters of JavaScript's `\s`, as ranges for use inside `[…]`. */
const jsSpace = String.raw`\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const jsNotSpace = String.raw`\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`;

/**
 * JavaScript's escapes that RE2 writes differently or does not know. An escaped letter without a special meaning matches the letter itself.
 */
const jsEscapes: readonly Form[] = [
  { at: /\\c([a-zA-Z])/y, rewrite: ([, letter = "A"]) => `\\x{${(letter.charCodeAt(0) % 32).toString(16)}}` },
  { at: /\\0(?!\d)/y, rewrite: () => String.raw`\x{0}` },
  { at: /\\([aACeEgGhHijJlLmMNoOqQRTUVyYzZ])/y, rewrite: ([, letter = ""]) => letter },
];
/** Without the flag `u`, JavaScript reads `\p` as the letter `p`, and an incomplete `\x` as the letter `x`. */
const plainEscapes: readonly Form[] = [
  { at: /\\([pPu])/y, rewrite: ([, letter = ""]) => letter },
  { at: /\\x(?![\da-fA-F]{2})/y, rewrite: () => "x" },
];
const jsDot: Form = { at: /\./y, rewrite: () => String.raw`[^\n\r\x{2028}\x{2029}]` };
const jsForms: readonly Form[] = [
  { at: /\[\^\]/y, rewrite: () => String.raw`[\x{0}-\x{10ffff}]` },
  { at: /\[\]/y, rewrite: () => String.raw`[^\x{0}-\x{10ffff}]` },
  jsDot,
  { at: /\\s/y, rewrite: () => `[${jsSpace}]` },
  { at: /\\S/y, rewrite: () => `[^${jsSpace}]` },
];
const jsFormsInClass: readonly Form[] = [
  { at: /\\s/y, rewrite: () => jsSpace },
  { at: /\\S/y, rewrite: () => jsNotSpace },
  { at: /\\b/y, rewrite: () => String.raw`\x{8}` },
  { at: /\[/y, rewrite: () => String.raw`\[` },
];

/** Matches the flag of multi-line mode. In this mode, `$` matches at the end of any line, in Python and in RE2. */
const multiLine = /\(\?[a-zA-Z]*m/;

/** Escapes of UTF-16 code units in hex digits, such as `\u00e9`. They apply inside and outside `[…]`. */
const units: readonly Form[] = [
  {
    at: /\\u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})/y,
    rewrite: ([, high, low]) => surrogates(high, low),
  },
  { at: /\\u([\da-fA-F]{4})/y, rewrite: ([, hex]) => `\\x{${hex}}` },
];

/** Escapes that RE2 writes differently. They apply inside and outside `[…]`. */
const escapes: readonly Form[] = [
  ...units,
  { at: /\\u\{([\da-fA-F]{1,6})\}/y, rewrite: ([, hex]) => `\\x{${hex}}` },
  { at: /\\U([\da-fA-F]{8})/y, rewrite: ([, hex = "0"]) => `\\x{${Number.parseInt(hex, 16).toString(16)}}` },
  { at: /\\p\{(?:Script|sc)=(\w+)\}/y, rewrite: ([, script]) => `\\p{${script}}` },
  { at: /\\P\{(?:Script|sc)=(\w+)\}/y, rewrite: ([, script]) => `\\P{${script}}` },
];

/** Language of a pattern. `plain-javascript`: JavaScript without the flag `u`, in which `\p{L}` matches the text `p{L}`. */
export type PatternLanguage = "python" | "javascript" | "plain-javascript";

/**
 * Translates a pattern into RE2's syntax. If the pattern has a construct that RE2 does not support, returns the first such construct
 * instead.
 */
export function translatePattern(source: string, language: PatternLanguage): Translation {
  const { outside, inside } = formsOf(source, language);
  let text = "";
  let classStart = -1;
  for (let at = 0; at < source.length;) {
    const form = formAt(source, at, classStart >= 0 ? inside : outside);
    if (form?.form.what !== undefined) {
      const { what, hint = null } = form.form;
      return { ok: false, unsupported: { what, hint, offset: at } };
    }
    if (form) {
      text += form.form.rewrite?.(form.match) ?? form.match[0];
      at += form.match[0]?.length ?? 1;
      continue;
    }
    const length = source[at] === "\\" ? 2 : 1;
    if (source[at] === "[" && classStart < 0) classStart = at;
    else if (source[at] === "]" && (language !== "python" || !isPartOfClass(source, classStart, at)))
      classStart = -1;
    text += source.slice(at, at + length);
    at += length;
  }
  return { ok: true, text };
}

interface Forms {
  readonly outside: readonly Form[];
  /** Forms that apply within `[…]`. */
  readonly inside: readonly Form[];
}

function formsOf(source: string, language: PatternLanguage): Forms {
  if (language === "python") return { outside: pythonForms(source), inside: pythonInClass };
  // If a flag already lets `.` match line breaks, `.` is not translated.
  const isDotAll = /\(\?[a-zA-Z]*s/.test(source);
  const own = isDotAll ? jsForms.filter((form) => form !== jsDot) : jsForms;
  const numbers = language === "javascript" ? escapes : [...units, ...plainEscapes];
  return {
    outside: [...numbers, ...jsEscapes, ...own, ...forms],
    inside: [...numbers, ...jsEscapes, ...jsFormsInClass],
  };
}

function pythonForms(source: string): readonly Form[] {
  const own = [...allForms, ...allScripts, openRepetition];
  return multiLine.test(source) ? own : [...own, softEnd];
}

function formAt(source: string, at: number, candidates: readonly Form[]) {
  if (!interesting.has(source[at] ?? "")) return undefined;
  for (const form of candidates) {
    form.at.lastIndex = at;
    const match = form.at.exec(source);
    if (match) return { form, match };
  }
  return undefined;
}

const allForms: readonly Form[] = [...escapes, ...forms];
const pythonInClass: readonly Form[] = [...escapes, ...allScriptsInClass];
const interesting = new Set("\\({*+?$.[");

/** Whether a `]` is a character of the class. In Python, it is if it directly follows `[` or `[^`. */
function isPartOfClass(source: string, classStart: number, at: number): boolean {
  return classStart >= 0 && (at === classStart + 1 || (at === classStart + 2 && source[at - 1] === "^"));
}

function surrogates(high = "d800", low = "dc00"): string {
  const code = (Number.parseInt(high, 16) - 0xd800) * 0x400 + Number.parseInt(low, 16) - 0xdc00 + 0x10000;
  return `\\x{${code.toString(16)}}`;
}
