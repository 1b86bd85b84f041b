import { numberWordsAsDigits } from "./number-words.ts";

/** Returns a noun in lower-case singular, by its ending: `rooms` and `Room` become `room`. */
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

/** Whether a field's name means a count without a unit: `seat_count`, `numItems`. */
export function isCountField(label: string): boolean {
  return /(?:^|_)(?:num|n|count|number_of|no_of)_|(?:_|^)(?:count|qty)$|[a-z]Count$|^num[A-Z]/.test(label);
}

/** Returns the noun that a field counts: `room` for `rooms`, `room_count` and `numberOfRooms`. Undefined if the field counts no noun. */
export function nounOfField(label: string): string | undefined {
  const words = label.split(/[_\-. ]+|(?<=\p{Ll})(?=\p{Lu})/u).filter((word) => !besideNoun.test(word));
  const noun = words.at(-1) ?? "";
  return /^\p{L}{3,20}$/u.test(noun) ? nounKey(noun) : undefined;
}
