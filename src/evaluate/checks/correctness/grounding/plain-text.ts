import { withHalfDays, withSpokenClocks } from "./day-parts.ts";
import { withCommonForms } from "./east-asian.ts";
import { romanNumeralsAsDigits } from "./roman-numerals.ts";
import { rows } from "./unit-table.ts";
import { withSpokenDurations } from "./spoken-durations.ts";

const powers = /squared|cubed|per (?:second|minute|hour) per|\/ ?(?:s|min|h)[23]|\^-|[·⋅]/i;
const perPer =
  / ?(?:\/|per) ?(s|sec|second|min|minute|h|hour)(?: ?(?:\/|per) ?\1(?![\p{L}\p{N}])| squared)/giu;
const symbols: Readonly<Record<string, string>> = { s: "s", m: "min", h: "h" };
const plainPower = /(\p{L} ?\/ ?(?:s|min|h))([23])(?![\p{L}\p{N}])/gu;
/** Matches a unit times another unit with a negative power: `m s^-2`, `m·s^-2`. */
const negativePower =
  /(\d ?\p{L}{1,4}(?:\^[23])?) ?[ ·⋅*] ?(s|min|h|m|cm|km|kg|g|l|L|mol|K)\^-([123])(?![\p{L}\p{N}])/gu;
const product = /(\d ?[kMG]?[NWAV])[·⋅](m|h|s|A)(?!\p{L})/gu;

const AT = String.raw`(?:\s?[[({<]\s?(?:at|@|arroba|chiocciola|ät)\s?[\])}>]\s?)`;
const DOT = String.raw`(?:\s?[[({<]\s?(?:dot|\.|punkt|point|punto|ponto)\s?[\])}>]\s?|\.)`;
const NAME = String.raw`[\p{L}\p{N}_%+-]{1,64}(?:\.[\p{L}\p{N}_%+-]{1,64}){0,4}`;
const LABEL = String.raw`[\p{L}\p{N}-]{1,63}`;
const bracketed = new RegExp(
  `(?<![\\p{L}\\p{N}._%+-])(${NAME})${AT}(${LABEL}(?:${DOT}${LABEL}){1,5})`,
  "giu",
);
/** Matches an e-mail address in words: `name at domain dot tld`. */
const spoken = new RegExp(
  `(?<![\\p{L}\\p{N}._%+-])(${NAME}) (?:at|AT) (${LABEL}(?: (?:dot|DOT) ${LABEL}){1,5})(?![\\p{L}\\p{N}])`,
  "gu",
);
const dots = new RegExp(`${DOT}| (?:dot|DOT) `, "giu");

/**
 * Code points of the zero in scripts that have their own digits: Arabic, Persian, Devanagari, Bengali, Thai and others.
 */
const zeros = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20,
  0x1040, 0x17e0, 0x1810,
];
/** Matches HTML character references that belong to values: `67.3 m&sup3;`, `&euro;5`, `&#176;`. */
const entity =
  /&(?:#(\d{2,6})|(euro|pound|yen|cent|deg|sup2|sup3|micro|frac12|nbsp|minus|ndash|times|plusmn));/g;
const characters: Readonly<Record<string, string>> = {
  euro: "€",
  pound: "£",
  yen: "¥",
  cent: "¢",
  deg: "°",
  sup2: "²",
  sup3: "³",
  micro: "µ",
  frac12: "½",
  nbsp: " ",
  minus: "−",
  ndash: "–",
  times: "×",
  plusmn: "±",
};
const LAST_CODE_POINT = 0x10ffff;

function asCharacter(reference: string, code: string | undefined, name: string | undefined): string {
  if (name !== undefined) return characters[name] ?? reference;
  return Number(code) <= LAST_CODE_POINT ? String.fromCodePoint(Number(code)) : reference;
}

/** Matches a sign for "number" directly before the number: `№4711`, `Nº4711`, `no.4711`. */
const numberSign = /(?<![\p{L}\p{N}.])(?:№|n[º°]|n[or]\.)(?=\d)/giu;

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/**
 * Returns a text in the form from which values are parsed. Digits of any script become 0–9, superscripts become powers (`m²` → `m^2`), and
 * `½` becomes 1/2. Dashes, spaces and quotation marks become one kind each. Invisible characters and Markdown emphasis are removed.
 */
export function plainText(written: string): string {
  const text = (written.includes("&") ? written.replace(entity, asCharacter) : written).replace(
    numberSign,
    "No. ",
  );
  if (/^[\x20-\x7e\n]*$/.test(text)) return withoutMarks(text.replace(/(?<=\d) ?~ ?(?=\d)/g, "-"));
  const folded = text
    .replace(/[\p{Default_Ignorable_Code_Point}\u20e3]+/gu, "")
    .replace(
      /[⁰¹²³⁴-⁹]+/gu,
      (digits) => `^${digits.replace(/./g, (one) => String(superscripts.indexOf(one)))}`,
    )
    .replace(/⁻(?=\^)/gu, "^-")
    .replaceAll("^-^", "^-")
    .replace(/(\d?) ?([¼-¾⅐-⅞])/gu, (_, before: string, one: string) => `${before} ${one.normalize("NFKC")}`)
    .replace(/[\u2033\u201c\u201d]/gu, '"')
    .replaceAll("\u2032", "'")
    // At the start of a line, a dash is a list mark, and a minus sign is not.
    .replace(/^[\u2212\ufe63\uff0d][^\S\n](?=\p{Nd})/gmu, "-")
    .normalize("NFKC")
    .replace(/[\u2010-\u2013\u2212]/gu, "-")
    .replace(/[\u2014\u2015]/gu, " - ")
    .replace(/[\u2018\u2019\u02bc]/gu, "'")
    .replace(/[^\S\n]/gu, " ")
    .replaceAll("\u2044", "/")
    .replaceAll("×", "x")
    .replace(/(?<=\p{Nd}) ?[~\u301c] ?(?=\p{Nd})/gu, "-")
    .replace(/\p{Nd}/gu, asciiDigit);
  return withoutMarks(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(folded)
      ? spaced(withCommonForms(folded))
      : folded,
  );
}

const EAST = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`;
/** Pattern of East Asian characters for dates, scales and currencies, which belong to the number before them. */
const COUNTS = "[年月日時分秒万萬億亿円元원]";
/** Pattern of characters after which a unit of date or time means a duration: 分钟 is minutes, 時間 is hours. */
const AMOUNTS = "[钟鐘間间]";
const KOREAN = "(?:시간|분|초|일|주일|주|개월|월|년|원|퍼센트|만|억)";
/** Pattern of the position between a Korean unit and the particle after it. */
const KOREAN_UNIT = String.raw`(?<=\d ?(?:시간|개월|주일|[분초일년원월]))(?<!\d ?[주])(?!${KOREAN})(?=\p{Script=Hangul})`;
/** Pattern of East Asian unit words. A word begins directly after an East Asian unit. */
const EAST_UNIT = rows
  .flatMap(([, , words]) => words.split(" "))
  .filter((word) => /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{2,}$/u.test(word))
  .join("|");
const borders = new RegExp(
  String.raw`(?<=日)(?=\d)|(?<=\d ?(?:${EAST_UNIT}))(?=${EAST})|${KOREAN_UNIT}|(?<=[\p{Script=Latin}\d%‰])(?!${COUNTS}|${KOREAN})(?=${EAST})|(?<=${COUNTS})(?!${COUNTS}|${AMOUNTS})(?=${EAST})|(?<=${COUNTS}${AMOUNTS})(?=${EAST})|(?<=${EAST})(?<!${COUNTS})(?=[\p{Script=Latin}\p{Sc}\d+-])`,
  "gu",
);

/** Inserts spaces around values in scripts that have no spaces between words. */
function spaced(text: string): string {
  return text.replace(borders, " ");
}

function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const zero = zeros.find((candidate) => code >= candidate && code <= candidate + 9);
  return zero === undefined ? digit : String(code - zero);
}

/** Removes emphasis and code marks, which can split a value (`**$1,200**.50`), and converts other notations of values. */
function withoutMarks(text: string): string {
  return romanNumeralsAsDigits(
    withHalfDays(
      withWholeUnits(
        withAddresses(
          withFullYears(
            withStamps(withTimes(withSpokenDurations(withSpokenClocks(withLost(withoutEmphasis(text)))))),
          ),
        ),
      ),
    ),
  );
}

/** Pattern of words after which a number is the value of something. */
export const VALUE_WORDS =
  "is|was|are|were|be|to|at|of|and|ist|war|auf|bei|von|und|sind|à|est|de|et|es|era|a|y|di|è|e|op|van|en";
/**
 * Matches the space between a minus sign and its number, as in `is - 5`. The dash in `10 - 5`, or in a line with several items, is not a
 * minus sign.
 */
const spacedMinus = new RegExp(
  String.raw`(?<=[=|(→] ?|(?<!\p{L})(?:${VALUE_WORDS}) )- (?=(?:\p{Sc} ?)?\.?\d)|(?<=: ?)- (?=(?:\p{Sc} ?)?\.?\d)(?![^\n]{0,200} - )`,
  "giu",
);
/** Matches the mark of emphasis before a number with a sign: `*-5 °C*`. */
const emphasis = /(?<![\w)\]-] ?)\*(?=[-+]\p{Sc}?\.?\d)/gu;

/**
 * Removes Markdown emphasis, and the space after a minus sign. In a text that is only a range, such as `-5..3`, also replaces the dots;
 * within a sentence, `12..5` is a typing error.
 */
function withoutEmphasis(text: string): string {
  return text
    .replace(/\*\*|__(?!\w)|[`]/g, "")
    .replace(emphasis, "")
    .replace(spacedMinus, "-")
    .replace(/^(-?\d+(?:\.\d+)?) ?\.\.\.? ?(-?\d+(?:\.\d+)?)$/, "$1 to $2");
}

const illegible =
  /(?<![^\s"'(:#])(?=[A-Z\d?-]{0,24}\d)[A-Z\d-]{1,20}\?[A-Z\d?-]{0,20}[A-Z\d](?![^\s"').,;])/g;

/** Marks question marks inside a code as lost characters: `8G4?1?7`. */
function withLost(text: string): string {
  return text.includes("?") ? text.replace(illegible, (code) => code.replaceAll("?", "\u2588")) : text;
}

const often = /(?<!\p{L})(twice|thrice)(?= (?:an?|per|each|every|daily|weekly|monthly)(?!\p{L}))/giu;

/** Replaces `twice a day` by `2 times a day`. `once` is not replaced, because it often states no number. */
function withTimes(text: string): string {
  return text.replace(often, (word) => (/^tw/i.test(word) ? "2 times" : "3 times"));
}

const compactStamp =
  /(?<![\p{L}\p{N}])((?:19|20)\d{2})(\d{2})(\d{2})T([0-2]\d)([0-5]\d)(?:([0-5]\d))?(?=Z?(?![\p{L}\p{N}]))/gu;

/** Expands compact time stamps: `20260613T160000` becomes `2026-06-13T16:00:00`. */
function withStamps(text: string): string {
  return text.replace(compactStamp, (_, year, month, day, hour, minute, second = "00") => {
    return `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  });
}

/** Expands years after an apostrophe to four digits: `the class of '99`. */
function withFullYears(text: string): string {
  return text.replace(
    /(?<![\p{L}\p{N}'])'(\d{2})(?![\p{L}\p{N}'"]|[.,:]\d)/gu,
    (_, year: string) => `${Number(year) < 70 ? "20" : "19"}${year}`,
  );
}

/** Replaces e-mail addresses in words by normal addresses: `jo [at] shop [dot] test` becomes `jo@shop.test`. */
function withAddresses(text: string): string {
  if (!/[[({<]\s?(?:at|@|arroba|chiocciola|ät)\s?[\])}>]| dot /i.test(text)) return text;
  const joined = (_: string, name: string, domain: string): string => `${name}@${domain.replace(dots, ".")}`;
  return text.replace(bracketed, joined).replace(spoken, joined);
}

/** Converts units of several parts to one form: `m s^-2`, `m/s2` and `metres per second squared` to `m/s^2`, `N·m` to `Nm`. */
function withWholeUnits(text: string): string {
  if (!powers.test(text)) return text;
  return text
    .replace(perPer, (_, unit: string) => `/${symbols[unit.charAt(0).toLowerCase()] ?? unit}^2`)
    .replace(plainPower, "$1^$2")
    .replace(negativePower, (_, unit: string, below: string, power: string) => {
      return `${unit}/${below}${power === "1" ? "" : `^${power}`}`;
    })
    .replace(product, "$1$2");
}
