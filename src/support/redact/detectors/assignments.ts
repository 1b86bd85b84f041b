import { looksRandom } from "./random-looking.ts";
import { namesService, secretName } from "./secret-names.ts";
import { isPlaceholder, isSentence, isWord, looksIssued, mixesCharacters } from "./secret-values.ts";

/** Number of characters before an operator (such as `=`) that are searched for a name. */
const LONGEST_NAME = 80;
/** Maximum number of characters (quotation marks, brackets, spaces) between a name and its operator. */
const LONGEST_GAP = 16;
/** Maximum length of a quoted value. */
const LONGEST_VALUE = 20_000;
/** Number of characters of a value that are examined. Further characters are ignored. */
const EXAMINED = 4096;

const operators = /[<?:|!]{0,3}[=:>]{1,3}|,/g;
const opening = /(?:[ \t=]|\\*["'`]){0,12}@?(?:\\*["'`])?/y;
const quotes = /\\*["'`]/g;
const endOfWord = /[\s"'`\\,;&<>()[\]{}]/g;

interface Value {
  readonly start: number;
  readonly end: number;
  /** Quotation mark around the value, including backslashes before the mark; undefined if the value is not quoted. */
  readonly quote: string | undefined;
  /**
   * Whether several quotation marks precede the value. If so, the value may be empty, and the text after the marks may belong to something
   * else.
   */
  readonly isDoubtful: boolean;
}

/** Replaces values whose names denote credentials. The time is linear in the length of the text. */
export function replaceAssigned(text: string, replacement: string): string {
  let clean = "";
  let done = 0;
  operators.lastIndex = 0;
  const words = new WordEnds(text);
  for (let found = operators.exec(text); found !== null; found = operators.exec(text)) {
    const value = credentialAfter(text, found[0], found.index, words);
    if (value === null) continue;
    clean += text.slice(done, value.start) + replacement;
    done = value.end;
    operators.lastIndex = value.end;
  }
  return clean + text.slice(done);
}

function credentialAfter(text: string, operator: string, at: number, words: WordEnds): Value | null {
  const inList = operator === ",";
  if (inList && !isQuote(text[at - 1])) return null;
  const name = nameBefore(text, at);
  const kind = secretName(name);
  if (kind === null) return null;
  const found = valueAt(text, at + operator.length, words);
  const value = text.slice(found.start, Math.min(found.end, found.start + EXAMINED));
  if (value.length < 4 || isPlaceholder(value)) return null;
  // A colon of a URL or of a time of day is no assignment.
  if (
    operator === ":" &&
    (value.startsWith("//") || (/(?:T|[ \t])\d\d?$/.test(name) && /^\d\d\b/.test(value)))
  )
    return null;
  // In a list, name and value must be quoted, and the value must not itself be followed by a colon, as a key is.
  if (inList && (name.includes(" ") || found.quote === undefined || isKey(text, found.end))) return null;
  // If the name contains a service such as `heroku`, only the form of the value decides, because the name need not contain a word for
  // credentials.
  if (namesService(name) && !inList && looksIssued(value)) return found;
  if (kind === "service") return looksIssued(value) ? found : null;
  if (kind === "likely" || found.isDoubtful || inList) return looksRandom(value) ? found : null;
  // After a tag or a comparison, the value may belong to another name, so only the characters of the value decide.
  const isCredential = operator === ">" ? mixesCharacters(value) : isPlausible(text, value, operator, found);
  return isCredential ? found : null;
}

/**
 * Returns the name before an operator. The name has up to four words, such as `DB_PASSWORD`, `"dbPassword"`
 * or `secret access key`.
 */
function nameBefore(text: string, operatorAt: number): string {
  let end = operatorAt;
  while (end > 0 && operatorAt - end < LONGEST_GAP && " \t|\"'`\\)]".includes(text[end - 1] ?? "")) end--;
  let start = end;
  let spaces = 0;
  while (start > 0 && end - start < LONGEST_NAME) {
    const code = text.charCodeAt(start - 1);
    if (isNameCode(code)) start--;
    else if ((code === SPACE || code === TAB) && spaces < 3 && isNameCode(text.charCodeAt(start - 2))) {
      spaces++;
      start--;
    } else break;
  }
  return text.slice(start, end);
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'" || character === "`";
}

/** Whether a colon follows the quoted text that ends at `end`. */
function isKey(text: string, end: number): boolean {
  return /^\\*["'`]\s{0,4}:/.test(text.slice(end, end + 16));
}

const SPACE = 32;
const TAB = 9;

function isNameCode(code: number): boolean {
  const isLetterOrDigit =
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
  // Also belongs to a name: "_", "." and "-" (codes 95, 46 and 45), and letters of other alphabets.
  return isLetterOrDigit || code === 95 || code === 46 || code === 45 || code >= 192;
}

/** Whether the value of a name that denotes a credential is a credential, and not prose or code. */
function isPlausible(text: string, value: string, operator: string, { end, quote }: Value): boolean {
  if (quote !== undefined) return !isSentence(value);
  if (text[end] === "(") return false;
  if (operator !== ":" || mixesCharacters(value)) return true;
  return isWord(value) && /^[ \t]*(?:[\r\n;,"'&]|\\n|$)/.test(text.slice(end, end + 40));
}

function valueAt(text: string, at: number, words: WordEnds): Value {
  opening.lastIndex = at;
  const marks = opening.exec(text)?.[0].match(quotes) ?? [];
  const start = opening.lastIndex;
  const quote = marks.length === 1 ? marks[0] : undefined;
  const quoted = quote === undefined ? -1 : endOfQuoted(text, start, quote);
  if (quoted >= 0) return { start, end: quoted, quote, isDoubtful: false };
  return { start, end: words.after(start), quote: undefined, isDoubtful: marks.length > 1 };
}

/** Finds the ends of words. A word that contains many operators is scanned only once, instead of once after each operator. */
class WordEnds {
  readonly #text: string;
  #start = 0;
  #end = -1;

  constructor(text: string) {
    this.#text = text;
  }

  after(start: number): number {
    if (start < this.#start || start > this.#end) {
      endOfWord.lastIndex = start;
      this.#start = start;
      this.#end = endOfWord.exec(this.#text)?.index ?? this.#text.length;
    }
    return this.#end;
  }
}

/** Returns the index of the closing quotation mark on the same line, or -1. */
function endOfQuoted(text: string, start: number, quote: string): number {
  const limit = Math.min(text.length, start + LONGEST_VALUE);
  let at = text.indexOf(quote, start);
  while (at >= 0 && at < limit && quote.length === 1 && text[at - 1] === "\\")
    at = text.indexOf(quote, at + 1);
  return at < 0 || at >= limit || /[\r\n]/.test(text.slice(start, at)) ? -1 : at;
}
