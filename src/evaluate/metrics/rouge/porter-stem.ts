/*
 * The Porter stemmer (M. F. Porter, An algorithm for suffix stripping, 1980) with the changes of NLTK's `PorterStemmer`, which Google's ADK
 * uses through `rouge_score`. NLTK has stems for irregular words, does not change words of two letters, and has rules for -ies, -ied, -y,
 * -alli, -fulli and -logi.
 */

const irregular: ReadonlyMap<string, string> = new Map([
  ["skies", "sky"],
  ["sky", "sky"],
  ["dying", "die"],
  ["lying", "lie"],
  ["tying", "tie"],
  ["news", "news"],
  ["innings", "inning"],
  ["inning", "inning"],
  ["outings", "outing"],
  ["outing", "outing"],
  ["cannings", "canning"],
  ["canning", "canning"],
  ["howe", "howe"],
  ["proceed", "proceed"],
  ["exceed", "exceed"],
  ["succeed", "succeed"],
]);

/** Returns the stem of a lower-case word. */
export function porterStem(word: string): string {
  const known = irregular.get(word);
  if (known !== undefined) return known;
  if (word.length <= 2) return word;
  return [plural, pastOrProgressive, finalY, doubleSuffix, longSuffix, suffix, finalE, doubleL].reduce(
    (stem, step) => step(stem),
    word,
  );
}

interface Rule {
  readonly ending: string;
  readonly by: string;
  readonly when?: (stem: string) => boolean;
}

/** Applies the first rule with a matching ending. If the rule's condition is not met, the word does not change. */
function applied(word: string, rules: readonly Rule[]): string {
  const rule = rules.find(({ ending }) => word.endsWith(ending));
  if (rule === undefined) return word;
  const stem = word.slice(0, word.length - rule.ending.length);
  return rule.when === undefined || rule.when(stem) ? stem + rule.by : word;
}

function rulesOf(pairs: Readonly<Record<string, string>>, when?: (stem: string) => boolean): readonly Rule[] {
  return Object.entries(pairs).map(([ending, by]) => ({
    ending,
    by,
    ...(when === undefined ? {} : { when }),
  }));
}

function isConsonant(word: string, at: number): boolean {
  const letter = word[at] ?? "";
  if ("aeiou".includes(letter)) return false;
  return letter !== "y" || at === 0 || !isConsonant(word, at - 1);
}

/** Returns Porter's measure of a stem: how often a consonant follows a vowel. */
function measure(stem: string): number {
  let count = 0;
  for (let at = 1; at < stem.length; at++) if (isConsonant(stem, at) && !isConsonant(stem, at - 1)) count++;
  return count;
}

function hasMeasure(stem: string): boolean {
  return measure(stem) > 0;
}

function hasVowel(stem: string): boolean {
  return Array.from(stem, (_, at) => at).some((at) => !isConsonant(stem, at));
}

/** Whether a word ends in consonant, vowel, consonant other than w, x or y. A word of two letters must be a vowel and a consonant. */
function endsShort(word: string): boolean {
  const { length } = word;
  if (length === 2) return !isConsonant(word, 0) && isConsonant(word, 1);
  return (
    length >= 3 &&
    isConsonant(word, length - 3) &&
    !isConsonant(word, length - 2) &&
    isConsonant(word, length - 1) &&
    !/[wxy]$/.test(word)
  );
}

function plural(word: string): string {
  if (word.length === 4 && word.endsWith("ies")) return word.slice(0, -1);
  return applied(word, rulesOf({ sses: "ss", ies: "i", ss: "ss", s: "" }));
}

function pastOrProgressive(word: string): string {
  if (word.endsWith("ied")) return word.slice(0, word.length === 4 ? -1 : -2);
  if (word.endsWith("eed")) return applied(word, [{ ending: "eed", by: "ee", when: hasMeasure }]);
  const ending = ["ed", "ing"].find(
    (one) => word.endsWith(one) && hasVowel(word.slice(0, word.length - one.length)),
  );
  return ending === undefined ? word : restored(word.slice(0, word.length - ending.length));
}

/** Restores a stem after its ending was removed: hop(p)ing → hop, fil(e)ing → file. */
function restored(stem: string): string {
  const rule = rulesOf({ at: "ate", bl: "ble", iz: "ize" }).find(({ ending }) => stem.endsWith(ending));
  if (rule !== undefined) return applied(stem, [rule]);
  const last = stem.length - 1;
  if (stem.length >= 2 && stem[last] === stem[last - 1] && isConsonant(stem, last))
    return /[lsz]$/.test(stem) ? stem : stem.slice(0, -1);
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

function finalY(word: string): string {
  const when = (stem: string): boolean => stem.length > 1 && isConsonant(stem, stem.length - 1);
  return applied(word, [{ ending: "y", by: "i", when }]);
}

const doubleSuffixes: readonly Rule[] = [
  ...rulesOf(
    {
      ational: "ate",
      tional: "tion",
      enci: "ence",
      anci: "ance",
      izer: "ize",
      bli: "ble",
      alli: "al",
      entli: "ent",
      eli: "e",
      ousli: "ous",
      ization: "ize",
      ation: "ate",
      ator: "ate",
      alism: "al",
      iveness: "ive",
      fulness: "ful",
      ousness: "ous",
      aliti: "al",
      iviti: "ive",
      biliti: "ble",
      fulli: "ful",
    },
    hasMeasure,
  ),
  { ending: "logi", by: "log", when: (stem) => hasMeasure(`${stem}l`) },
];

function doubleSuffix(word: string): string {
  if (word.endsWith("alli") && hasMeasure(word.slice(0, -4))) return doubleSuffix(word.slice(0, -2));
  return applied(word, doubleSuffixes);
}

function longSuffix(word: string): string {
  return applied(
    word,
    rulesOf({ icate: "ic", ative: "", alize: "al", iciti: "ic", ical: "ic", ful: "", ness: "" }, hasMeasure),
  );
}

const isLong = (stem: string): boolean => measure(stem) > 1;
const none = (endings: string): readonly Rule[] =>
  rulesOf(Object.fromEntries(endings.split(" ").map((ending) => [ending, ""])), isLong);
const suffixes: readonly Rule[] = [
  ...none("al ance ence er ic able ible ant ement ment ent"),
  { ending: "ion", by: "", when: (stem) => isLong(stem) && /[st]$/.test(stem) },
  ...none("ou ism ate iti ous ive ize"),
];

function suffix(word: string): string {
  return applied(word, suffixes);
}

function finalE(word: string): string {
  if (!word.endsWith("e")) return word;
  const stem = word.slice(0, -1);
  return measure(stem) > 1 || (measure(stem) === 1 && !endsShort(stem)) ? stem : word;
}

function doubleL(word: string): string {
  return applied(word, [{ ending: "ll", by: "l", when: () => measure(word.slice(0, -1)) > 1 }]);
}
