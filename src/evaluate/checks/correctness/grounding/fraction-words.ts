/** Fraction words and their values. A fraction word is a share (`a quarter of`) or stands before a unit or scale (`half an hour`). */
const parts: readonly (readonly [words: string, value: number])[] = [
  ["half|die hälfte|la moitié|la mitad|la metà|metade|de helft", 0.5],
  ["(?:a|one)[- ]quarter|ein viertel|un quart|un cuarto|un quarto|um quarto|een kwart", 0.25],
  [
    "three[- ]quarters|drei viertel|(?:les )?trois quarts|tres cuartos|tre quarti|três quartos|driekwart",
    0.75,
  ],
  ["(?:a|one)[- ]fifth|ein fünftel|un cinquième", 0.2],
  ["two[- ]fifths|zwei fünftel", 0.4],
  ["three[- ]fifths|drei fünftel", 0.6],
  ["four[- ]fifths|vier fünftel", 0.8],
  ["(?:a|one)[- ]tenth|ein zehntel|un dixième", 0.1],
  ["(?:an|one)[- ]eighth|ein achtel", 0.125],
];
/** Thirds in words. A third has no finite decimal form, so the replacement is a fraction. */
const thirds: readonly (readonly [words: string, fraction: string])[] = [
  ["(?:a|one)[- ]third|ein drittel|un tiers|un tercio|un terzo", "1/3"],
  ["two[- ]thirds|zwei drittel|(?:les )?deux tiers|dos tercios|due terzi", "2/3"],
];

/** Pattern of what may precede a fraction word. Excludes parts of a year, such as `the first half of 2024`, which are not shares. */
const START = String.raw`(?<![\p{L}\p{N}-])(?<!(?:first|second|last|other|1st|2nd|\d|and) )`;
const OF = String.raw`(?= (?:of|the|our|all|der|des|von|de|du|des|del|della|dei|delle|do|da|dos|das|van)(?!\p{L})| d')`;
/** Pattern between a fraction word and a unit or scale: `half a million`, `a quarter of an hour`. */
const WHOLE = String.raw` (?:of )?an? (?=\p{L})`;

const shares = [...parts.map(([words, value]) => [words, String(value)] as const), ...thirds].map(
  ([words, written]) =>
    [
      new RegExp(
        `${START}(?:${words})(?:${OF}|(?= (?:majority|stake|share|vote|interest)(?!\\p{L})))`,
        "giu",
      ),
      written,
    ] as const,
);
const wholes = parts.map(
  ([words, value]) => [new RegExp(`${START}(?:${words})${WHOLE}`, "giu"), `${value} `] as const,
);
const anyFraction = new RegExp([...parts, ...thirds].map(([words]) => words).join("|"), "iu");

/** Replaces fraction words by numbers: `half of` becomes `0.5 of`, `half a million` becomes `0.5 million`. */
export function fractionWordsAsDigits(text: string): string {
  if (!anyFraction.test(text)) return text;
  let read = text;
  for (const [pattern, written] of [...wholes, ...shares]) read = read.replace(pattern, written);
  return read;
}

const HALF = /^(?:half|die hälfte|la moitié|la mitad|la metà|metade|de helft)$/i;
const BEHIND = String.raw`(?:${OF}|(?= (?:majority|stake|share|vote|interest|are|is|was|were|have|has|had|\p{Ll}{2,12}ed)(?!\p{L})))`;
const parted = [...parts, ...thirds]
  .flatMap(([words, value]) => words.split(/\|(?![^(]*\))/).map((word) => [word, String(value)] as const))
  .filter(([word]) => !HALF.test(word))
  .map(([word, written]) => [new RegExp(`${START}${word}${BEHIND}`, "giu"), written] as const);

/**
 * A share in words with its value in digits, such as `two thirds of`. Halves are excluded, because `half of it` is often a figure of
 * speech.
 */
export interface WordedShare {
  readonly index: number;
  readonly text: string;
  readonly digits: string;
}

export function wordedShares(text: string): readonly WordedShare[] {
  if (!anyFraction.test(text)) return [];
  return parted.flatMap(([pattern, digits]) =>
    [...text.matchAll(pattern)].map(({ index, 0: written }) => ({ index, text: written, digits })),
  );
}
