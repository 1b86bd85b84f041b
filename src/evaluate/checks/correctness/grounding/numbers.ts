/** A number as a text writes it. */
export interface WrittenNumber {
  /** Digits with their separators, without currency and unit. */
  readonly digits: string;
  readonly percent: boolean;
}

const WRITTEN = /^[+-]?[$€£¥]?([+-]?\d[\d.,]*)(%|°?[a-zµ]{0,3})$/i;

/** The number in a word such as `1,200.50`, `$5`, `22°C`, `45%`; undefined when the word is none. */
export function numberOf(word: string): WrittenNumber | undefined {
  const found = WRITTEN.exec(word);
  if (found === null) return undefined;
  const digits = found[1] ?? "";
  return numberCandidates({ digits, percent: false }).length === 0
    ? undefined
    : { digits, percent: found[2] === "%" };
}

const GROUPED_BY_COMMA = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const GROUPED_BY_POINT = /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/;
const PLAIN = /^\d+(?:[.,]\d+)?$/;

/**
 * Every value the digits can mean, in normal form: `1,200` is 1200 and, where a comma marks decimals, 1.2; `45%` is 45 and 0.45.
 * The sign is left out: texts write minus in many ways.
 */
export function numberCandidates({ digits, percent }: WrittenNumber): readonly string[] {
  const bare = digits.replace(/^[+-]/, "");
  const values: number[] = [];
  if (GROUPED_BY_COMMA.test(bare)) values.push(Number(bare.replaceAll(",", "")));
  if (GROUPED_BY_POINT.test(bare)) values.push(Number(bare.replaceAll(".", "").replace(",", ".")));
  if (PLAIN.test(bare)) values.push(Number(bare.replace(",", ".")));
  if (percent) values.push(...values.map((value) => value / 100));
  const finite = values.filter(Number.isFinite);
  return [...new Set(finite.map((value) => String(Number(value.toPrecision(12)))))];
}

/** All numbers in a text, generously: also those inside identifiers and dates. */
export function numbersIn(text: string): readonly string[] {
  const found: string[] = [];
  for (const [digits] of text.matchAll(/\d+(?:[.,]\d+)*/g)) {
    const candidates = numberCandidates({ digits, percent: false });
    if (candidates.length > 0) found.push(...candidates);
    if (/[.,]/.test(digits)) {
      for (const part of digits.split(/[.,]/))
        found.push(...numberCandidates({ digits: part, percent: false }));
    }
  }
  return found;
}
