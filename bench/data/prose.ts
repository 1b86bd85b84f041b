import { Random } from "./random.ts";

const beginnings = "b c d f gr h l m n p r s st t tr w".split(" ") as [string, ...string[]];
const middles = ["a", "e", "i", "o", "u", "ea", "ou"] as const;
const ends = ["", "n", "r", "s", "t", "nd", "ck"] as const;
const foreign = ["Zürich", "café", "東京", "“yes”", "São Paulo", "🙂"] as const;

/** Made-up words; some are frequent, so that the texts compress about as well as prose. */
const words = vocabulary(5000);

function vocabulary(size: number): readonly string[] {
  const random = new Random(7);
  const found = new Set(["the", "of", "and", "to", "a", "in", "order", "customer", "refund", "flight"]);
  while (found.size < size) {
    let word = "";
    for (let left = random.int(1, 3); left > 0; left--)
      word += random.pick(beginnings) + random.pick(middles) + random.pick(ends);
    found.add(word);
  }
  return [...found];
}

/** Text of at least `length` characters with punctuation, quotes and line feeds; with `mixed`, some words have characters beyond ASCII. */
export function prose(random: Random, length: number, mixed = false): string {
  let text = "";
  while (text.length < length) {
    const rank = Math.floor(words.length ** random.unit()) - 1;
    text += mixed && random.chance(0.03) ? random.pick(foreign) : (words[rank] ?? "the");
    const turn = random.unit();
    text += turn < 0.08 ? ". " : turn < 0.12 ? ", " : turn < 0.135 ? "\n" : turn < 0.15 ? ' "so" ' : " ";
  }
  return text;
}
