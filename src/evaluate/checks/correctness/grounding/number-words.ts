const small =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const ordinals = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(
  " ",
);
const scales: Readonly<Record<string, number>> = { hundred: 100, thousand: 1000, million: 1e6, billion: 1e9 };

const SMALL = small.join("|");
const ONE = `(?:(?:${tens.join("|")})(?:[- ](?:${small.slice(1, 10).join("|")}))?|${SMALL}|a)`;
const SCALE = Object.keys(scales).join("|");
/** At most four terms, as in `two million three hundred thousand and five`. */
const written = new RegExp(
  String.raw`\b(?:(${ONE}(?: (?:${SCALE}))+(?:,? (?:and )?${ONE}(?: (?:${SCALE}))*){0,3})|(${ONE})|(half)(?= an? )|(${ordinals.join("|")}))\b`,
  "gi",
);

/** A text with its number words as digits: `twenty-four hours` → `24 hours`; `a` and `one` alone stay, they are rarely meant as numbers. */
export function numberWordsAsDigits(text: string): string {
  if (!/[a-z]{3}/i.test(text)) return text;
  return text.replace(written, (whole, _long, _short, half: string | undefined, nth: string | undefined) => {
    if (half !== undefined) return "0.5";
    if (nth !== undefined) return String(ordinals.indexOf(nth.toLowerCase()) + 1);
    const value = /^(?:a|one)$/i.test(whole) ? undefined : valueOf(whole.toLowerCase());
    return value === undefined ? whole : String(value);
  });
}

function valueOf(words: string): number {
  let total = 0;
  let part = 0;
  for (const word of words.split(/[-, ]+/)) {
    const scale = scales[word];
    if (scale === 100) part = (part || 1) * 100;
    else if (scale !== undefined) {
      total += (part || 1) * scale;
      part = 0;
    } else if (word === "a") part += 1;
    else if (word !== "and")
      part += small.includes(word) ? small.indexOf(word) : (tens.indexOf(word) + 2) * 10;
  }
  return total + part;
}
