const LABELS =
  "chapter|section|article|part|phase|stage|grade|type|class|level|volume|annex|appendix|title|tier|act|scene|kapitel|abschnitt|artikel|teil|stufe|chapitre|partie|tome|capítulo|artículo|parte|capitolo|articolo";
/**
 * Matches a Roman numeral after a word such as `Chapter`. `romanNumeralsAsDigits` excludes a single `I`, `C` or `L`, which can be a pronoun
 * or name.
 */
const labelled = new RegExp(String.raw`(?<!\p{L})(${LABELS}) ([IVXLC]{1,7})(?![\p{L}\p{N}'])`, "giu");
const valid = /^(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})$|^C{1,3}(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})$/;
const letters: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };

const centuries =
  /(?<![\p{L}\p{N}])([IVX]{1,5})(\.?(?:e|º|ème)?) (?=jahrhunderts?|jh\.|century|siècle|siglo|secolo|século|wieku?|век|eeuw)/giu;

/** Replaces Roman numerals before words for a century and after words such as `Chapter`: `Chapter IV` becomes `Chapter 4`. */
export function romanNumeralsAsDigits(text: string): string {
  return text
    .replace(centuries, (whole, numeral: string) =>
      valid.test(numeral.toUpperCase()) ? `${valueOf(numeral.toUpperCase())}. ` : whole,
    )
    .replace(labelled, (whole, label: string, numeral: string) =>
      /^[ICL]$/.test(numeral) || !valid.test(numeral) ? whole : `${label} ${valueOf(numeral)}`,
    );
}

const years =
  /(?<![\p{L}\p{N}])M{1,2}(?:CM|CD|D?C{0,3})(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})(?![\p{L}\p{N}])/gu;
const LEAST_OF_YEAR = 4;

/** Matches a Roman numeral after a name: `World War II`, `Louis XIV`. */
const named = /(?<=\p{Lu}\p{Ll}+ )([IVX]{2,6})(?![\p{L}\p{N}'])/gu;

/**
 * Returns the numbers of Roman numerals after names and in years, as evidence. In an answer, numerals of names need no evidence, because
 * names are common knowledge.
 */
export function romanNumbersIn(text: string): readonly number[] {
  const ofNames = [...text.matchAll(named)].flatMap(([numeral]) => (valid.test(numeral) ? [numeral] : []));
  const ofYears = [...text.matchAll(years)].flatMap(([year]) => (year.length < LEAST_OF_YEAR ? [] : [year]));
  return [...ofNames, ...ofYears].map(valueOf);
}

function valueOf(numeral: string): number {
  const values = Array.from(numeral).map((letter) => letters[letter] ?? 0);
  return values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
}
