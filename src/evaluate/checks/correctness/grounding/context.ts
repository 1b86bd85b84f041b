import { type Sign, unsigned } from "./meaning.ts";
import { VALUE_WORDS } from "./plain-text.ts";

/** Words before a version number. Versions 3.10 and 3.1 are different, unlike the numbers 3.10 and 3.1. */
const versioned: ReadonlySet<string> = new Set(
  (
    "version versions ver v release build firmware revision rev python node nodejs java jdk php ruby golang rust ios android macos ubuntu debian windows " +
    "fedora chrome firefox safari react angular vue django rails laravel postgres postgresql mysql mariadb sqlite redis mongodb kubernetes docker " +
    "typescript npm pip swift kotlin perl tls ssl bluetooth usb gpt claude llama gemini mistral qwen openssl nginx apache linux kernel numpy pandas"
  ).split(" "),
);

export function isVersioned(word: string): boolean {
  const last = word.split(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})/u).at(-1) ?? "";
  return versioned.has(last.toLowerCase());
}

/** Returns a pattern for whole words. The pattern avoids `\b`, which does not support accented letters. */
function wordsOf(words: string, behind = ""): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words})(?![\p{L}\p{N}])${behind}`, "iu");
}

const falls = wordsOf(
  "fell|falls?|falling|drop(?:s|ped|ping)?|down|decreas(?:e|es|ed|ing)|declin(?:e|es|ed|ing)|reduc(?:e|es|ed|ing|tion)|lower(?:ed)?|loss(?:es)?|lost|losing|minus|negative|discount(?:ed)?|refund(?:ed)?|deficit|debit(?:ed)?|overdrawn|shrank|shrunk|slipped|withdr(?:ew|awn|awal)|debt|owes?|cut|charged?|spent|paid|payment|deducted|" +
    "gefallen|fiel(?:en)?|sank(?:en)?|gesunken|sinkt|gesenkt|rückgang|abnahme|senkung|reduzierung|verlust|verloren|verlor|abgebucht|schulden?|rabatt|bezahlt|zahlung|" +
    "baissé|baisse|perdu|perte|diminué|diminution|réduction|recul|remise|rabais|payé|" +
    "bajó|baja|cayó|caída|perdió|pérdida|descendió|descenso|disminución|reducción|descuento|pagado|pagó|" +
    "sceso|scesa|calato|calo|riduzione|redução|perso|perdita|sconto|caiu|queda|perda|desconto|gedaald|daling|verlies|korting",
);
const rises = wordsOf(
  "rose|risen|ris(?:es|ing)|gr(?:ew|own|ows|owing)|increas(?:e|es|ed|ing)|climb(?:s|ed|ing)|jump(?:s|ed)|surged|gained|up(?= (?:by )?$)|" +
    "stieg(?:en)?|gestiegen|steigt|anstieg|zuwachs|zunahme|erhöhung|wachstum|zugenommen|gewonnen|hausse|augmenté|augmentation|progressé|gagné|" +
    "subió|subida|aumentó|aumento|creció|ganó|salito|salita|cresciuto|crescita|aumentato|subiu|aumentou|gestegen|stijging",
);
const fallsBehind = new RegExp(
  String.raw`^[^.!?\n]{0,12}?${wordsOf("below zero|below freezing|less|lower|down|off|loss|discount|overdrawn|short|in debt|in the red|im soll|decrease|drop|decline|reduction|im minus|unter null|gesunken|gefallen|gesenkt|weniger|bajo cero|menos|sous zéro|de moins|sotto zero|in meno|abaixo de zero").source}|^[^.!?\n]{0,30}?${wordsOf("charged|deducted|debited|abgebucht|belastet|débités?|descontados?").source}|^ ?(?:の?減|下落|低下|マイナス)`,
  "iu",
);
const risesBehind = new RegExp(
  String.raw`^[^.!?\n]{0,12}?${wordsOf("higher|increase|rise|growth|gain|gestiegen|mehr|höher|im plus|de más|de plus|in più").source}|^ ?(?:の?増|上昇)`,
  "iu",
);

/**
 * Matches the text before a negative amount in parentheses, such as `a balance of (`. After other text, such as `the fee (`, the
 * parentheses are a remark.
 */
const amountBefore = /(?:^|\n|\||[:=]|\b(?:of|is|was|were|are|be|at|to|von|ist|war|de|est|di)) ?\($/i;
const accounted =
  /\b(?:income|profit|loss|net|balance|result|change|variance|cash ?flow|earnings|ebit(?:da)?|deficit|surplus|margin|p&l|return|gain|ergebnis|saldo)\b/i;

/**
 * Returns the possible signs of an amount alone in parentheses: `a balance of ($312.40)` is negative, `the fee ($12)` is not. Undefined if
 * the parentheses do not affect the sign.
 */
export function signsOfParentheses(
  text: string,
  at: number,
  end: number,
  isMoney: boolean,
): readonly Sign[] | undefined {
  if (text[at - 1] !== "(" || text[end] !== ")") return undefined;
  const before = text.slice(Math.max(0, at - LONGEST_CLAUSE), at);
  const isAmount = isMoney || /^\) ?(?:\p{Sc}|[A-Z]{3}(?!\p{L}))/u.test(text.slice(end, end + 6));
  if (!isAmount)
    return /\| ?\($/.test(before) && /^\) ?\|/.test(text.slice(end, end + 3))
      ? [...unsigned, "-"]
      : undefined;
  if (amountBefore.test(before)) return ["-"];
  return accounted.test(before.replace(/^.*[.;]/s, "")) ? [...unsigned, "-"] : undefined;
}

const CLAUSE_ENDS = ".!?;\n";
const LONGEST_CLAUSE = 48;

/** Matches the word for a minus sign before a number. In `10 minus 5`, the word is no sign. */
const spelledMinus = new RegExp(
  String.raw`(?:^|[\n:=|(→]|(?<!\p{L})(?:${VALUE_WORDS})(?!\p{L})) ?(?:minus|negative|moins|menos|meno) ?$`,
  "iu",
);

/** Whether the text before a position ends with the word for a minus sign. */
export function hasSpelledMinus(text: string, at: number): boolean {
  return spelledMinus.test(text.slice(Math.max(0, at - LONGEST_CLAUSE), at));
}

/**
 * Returns the signs that the words around a number imply: `fell by 5` implies minus, `rose by 5` implies plus. Undefined if the words imply
 * no sign.
 */
export function signsAround(text: string, at: number, end: number): readonly Sign[] | undefined {
  let from = at;
  while (from > 0 && at - from < LONGEST_CLAUSE && !CLAUSE_ENDS.includes(text.charAt(from - 1))) from--;
  const clause = text.slice(from, at);
  const behind = text.slice(end, end + 40);
  // In `fell to 5`, the number is the new value and not the decrease.
  const isEnd = /(?<!\p{L})(?:to|auf|à|a|até|op) ?$/iu.test(clause);
  const isRise = (!isEnd && rises.test(clause)) || risesBehind.test(behind);
  if ((!isEnd && falls.test(clause)) || fallsBehind.test(behind))
    return isRise ? [...unsigned, "-"] : ["-", "unsigned"];
  return isRise ? ["+"] : undefined;
}
