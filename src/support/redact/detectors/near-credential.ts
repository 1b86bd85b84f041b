import { looksRandom } from "./random-looking.ts";
import { secretName } from "./secret-names.ts";

/** A random word is a credential when one is announced at most this many characters before it, on the same line. */
const CONTEXT = 60;
/** Bits of entropy a character, from which on a word of twenty characters is no text, number or path. */
const LEAST_ENTROPY = 3.5;

const word = /(?<![\w+/=~.-])[\w+/=~.-]{19,199}[\w+/=~-](?![\w+/=~-])/g;
/** Ids: UUIDs, hexadecimal digests and span ids, and what issuers of ids put their own prefix before (`call_…`, `chatcmpl-…`). */
const id =
  /^(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|[\da-f]+|0x[\da-f]+|\d[\d.:T+Z-]*|[a-z]+[_-](?!.*[_=+/]).*)$/i;
/** What a value of its own name ends with: `id: `, `"run":"`, `model=`. */
const ownName = /([\w.-]{1,60})\\*["'`]?\s{0,3}[:=]{1,2}>?\s{0,3}\\*["'`]?$/;
/** A name and its value in one word: `run=8f3A…`. */
const assigned = /^[a-z][a-z_.-]{0,40}=/i;
const names = /[\p{L}\p{N}_.-]{2,60}/gu;

/** The text with each random word replaced that follows, on its line or below it, a word which announces a credential. Takes time in proportion to the text. */
export function replaceNearCredential(text: string, replacement: string): string {
  return text.replace(word, (found, at: number) =>
    isRandom(found) && isAnnounced(text.slice(Math.max(0, at - CONTEXT), at)) ? replacement : found,
  );
}

/** Whether a word looks generated and is no id, number or digest. */
export function isRandom(found: string): boolean {
  if (assigned.test(found)) return false;
  return /\d/.test(found) && looksRandom(found) && !id.test(found) && entropyOf(found) >= LEAST_ENTROPY;
}

/** Whether what stands before a random word makes it a credential: a word for one, and no name of another kind of value. */
function isAnnounced(before: string): boolean {
  // A word alone on its line belongs to the line above.
  const line = before.trimEnd().split("\n").at(-1) ?? "";
  const [, own] = ownName.exec(line) ?? [];
  if (own !== undefined && !looksRandom(own) && secretName(own) === null) return false;
  const words = line.match(names) ?? [];
  return words.some((name, at) => announces(name) || announces(`${words[at - 1] ?? ""} ${name}`));
}

function announces(name: string): boolean {
  const kind = secretName(name);
  return kind === "certain" || kind === "service";
}

/** Shannon's entropy of the characters of a text, in bits a character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
