import { numberWordsAsDigits } from "./number-words.ts";

/** Returns a noun in singular and lower case, by rules for its ending: `rooms` and `Room` become `room`. */
export function nounKey(word: string): string {
  const lower = word.toLowerCase();
  if (/[^aeiou]ies$/.test(lower)) return lower.replace(/ies$/, "y");
  if (/(?:s|x|z|ch|sh)es$/.test(lower)) return lower.slice(0, -2);
  return /[^s]s$/.test(lower) ? lower.slice(0, -1) : lower;
}

const counted = /(?<![\p{L}\p{N}.,])\d{1,6} (\p{L}{3,20})(?![\p{L}\p{N}])/gu;

/** Returns the nouns that a text counts in digits or words, such as `2 tickets` and `three rooms`. */
export function nounsCountedIn(text: string): readonly string[] {
  return [...numberWordsAsDigits(text).matchAll(counted)].map(([, noun = ""]) => nounKey(noun));
}

const besideNoun = /^(?:num|number|no|n|total|count|of|nr|qty|quantity)$/i;

/** Whether a field's name is that of a count: `seat_count`, `numItems`. A count has no unit. */
export function isCountField(label: string): boolean {
  return /(?:^|_)(?:num|n|count|number_of|no_of)_|(?:_|^)(?:count|qty)$|[a-z]Count$|^num[A-Z]/.test(label);
}

/**
 * Returns the noun that a field's number counts, from names such as `rooms`, `room_count` or
 * `numberOfRooms`. Undefined if the name contains no such noun.
 */
export function nounOfField(label: string): string | undefined {
  const words = label.split(/[_\-. ]+|(?<=\p{Ll})(?=\p{Lu})/u).filter((word) => !besideNoun.test(word));
  const noun = words.at(-1) ?? "";
  return /^\p{L}{3,20}$/u.test(noun) ? nounKey(noun) : undefined;
}
