import { replaceAssigned } from "./assignments.ts";
import { longWordsOf, privateKey, replaceKnownForms, secretPath } from "./key-formats.ts";
import { secretName } from "./secret-names.ts";
import { isPlaceholder, isSentence, mixesCharacters } from "./secret-values.ts";
import { looksRandom } from "./random-looking.ts";
import { eachRun, Replacing, wordCharacters } from "./word-runs.ts";

/** Maximum number of characters between a word for credentials, such as `token`, and a random word after it. */
const CONTEXT = 60;

/**
 * Minimum entropy of a random word in bits per character. Most words and numbers have a lower entropy; Paths can have a higher entropy;
 * `looksRandom` excludes them.
 */
const LEAST_ENTROPY = 3.5;

/** Characters of which a random word consists. */
const randomCharacters = wordCharacters(/[\w+/=~.-]/);
const SHORTEST_RANDOM = 20;
const LONGEST_RANDOM = 200;

/**
 * Matches ids, which are not credentials: UUIDs, hexadecimal digests, span ids, and ids with a prefix such as
 * `call_…` or `chatcmpl-…`.
 */
const id =
  /^(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|[\da-f]+|0x[\da-f]+|\d[\d.:T+Z-]*|[a-z]+[_-](?!.*[_=+/]).*)$/i;

/** Matches the name directly before a value, such as `id: `, `"run":"` or `model=`. */
const ownName = /([\w.-]{1,60})\\*["'`]?\s{0,3}[:=]{1,2}>?\s{0,3}\\*["'`]?$/;

/** Matches the beginning of a word with a name and a value, such as `run=` in `run=8f3A…`. */
const assigned = /^[a-z][a-z_.-]{0,40}=/i;

const names = /[\p{L}\p{N}_.-]{2,60}/gu;

const KEY = "[key]";

const scheme = /\b(Bearer|Basic|Digest|Token|ApiKey) {1,3}([\w.~+/=-]{8,4000})/gi;
const passwordOfAddress = /(:\/\/[^\s:/@]{0,200}:)[^\s/@]{1,500}@/g;
/** Matches the first cookie of a cookie header, with any name, and all text after it in the header. */
const cookies =
  /\b((?:set-)?cookie\\?["']?[ ]{0,3}[=:][ ]{0,3}\\?["']?)[^\s"'\\=;]{1,256}=[^\n\r"'\\]{1,8192}/gi;
/** Matches sentences such as `my password is hunter22`. If the name is only "key", the value must also look random. */
const sentence =
  /\b((password|passphrase|passcode|api key|secret key|access key|token|key) (?:is|was)[ \t]{1,3}["'`]?)([^\s"'`,;<>]{4,200})/gi;
/** Matches command-line options such as `--password hunter22`. */
const option = /(?<![\w-])(--?([a-z][\w-]{1,40})[ \t]{1,3}["']?)([^\s"'-][^\s"']{3,500})/gi;
/** Matches the password in `curl -u name:password`. */
const user =
  /(\bcurl\b[\s\S]{0,500}?\s(?:-u|--user)[ \t=]{1,8}\\?["']?[^\s:"'\\]{1,100}\\?["']?:\\?["']?)[^\s"'\\]{2,200}/gi;
/** Matches the password in `mysql -uapp -phunter22`, whose option and value are one word. `-p3306:3306` has ports, `-P3306` a port. */
const joinedOption =
  /(\b(?:mysql|mariadb)(?:\w|-){0,20}\b[^\r\n|;&]{0,300}?\s-p["']?)(?!\d+:\d)[^\s"'\\-][^\s"'\\]{1,200}/g;
/** Matches the password of a `.netrc` file: `machine x.example login app password hunter22`. */
const netrc =
  /((\b(?:machine\s{1,20}\S{1,200}|default)\s{1,20})?\blogin\s{1,20}\S{1,200}\s{1,20}password\s{1,20})([^\s"'\\]{2,200})/gi;
/**
 * Matches a name and a value that are in two fields of a record, such as `{"name":"password","value":"hunter22"}`. The value may also have
 * the form of OTLP/JSON.
 */
const pair =
  /((?<![\w-])(?:key|name|k)\\*["']?\s{0,3}[=:]\s{0,3}\\*["']([\w.-]{1,80})\\*["'][\s,]{0,5}\\*["']?(?:value|v)\\*["']?\s{0,3}[=:]\s{0,3}(?:\{\s{0,3}\\*["']string_?[vV]alue\\*["']\s{0,3}:\s{0,3})?\\*["'])([^"'\\]{1,4000})/gi;

/** Matches a name and a value in two columns, such as `api_key    f00d…`. */
const column = /([\w-]{2,60})(\\*["'`]?\]?[ \t]{1,40}\\*["'`]?)[\w/+=-]{24,400}(?![\w/+=-])/y;
const columnCharacters = wordCharacters(/[\w/+=-]/);
const SHORTEST_COLUMN = 24;

/** Replaces keys, tokens, private keys, passwords in URLs, and values whose names denote a credential. */
export function replaceKeys(text: string): string {
  let clean = text.includes("-----BEGIN") ? text.replace(privateKey, KEY) : text;
  if (clean.includes("://")) clean = clean.replace(passwordOfAddress, `$1${KEY}@`);
  clean = clean.replace(secretPath, `$1${KEY}`).replace(cookies, `$1${KEY}`);
  clean = replaceKnownForms(clean, longWordsOf(clean), KEY)
    .replace(scheme, (all, name: string, value: string) =>
      /^[BD]/i.test(name) || mixesCharacters(value) ? `${name} ${KEY}` : all,
    )
    .replace(pair, (all, before: string, name: string, value: string) =>
      secretName(name) === "certain" && !isSentence(value) && !isPlaceholder(value) ? before + KEY : all,
    );
  clean = replaceColumns(replaceAssigned(clean, KEY), KEY)
    .replace(sentence, (all, before: string, name: string, value: string) =>
      (/^key$/i.test(name) ? isRandom(value) : mixesCharacters(value) && !isPlaceholder(value))
        ? before + KEY
        : all,
    )
    .replace(option, (all, before: string, name: string, value: string) =>
      secretName(name) === "certain" && !isPlaceholder(value) ? before + KEY : all,
    );
  if (clean.includes("curl")) clean = clean.replace(user, `$1${KEY}`);
  if (clean.includes(" -p")) clean = clean.replace(joinedOption, `$1${KEY}`);
  if (clean.includes("login"))
    clean = clean.replace(netrc, (all, before: string, machine: string | undefined, value: string) =>
      // Without the machine, the words can be a sentence: `the login and password fields`.
      machine !== undefined || mixesCharacters(value) ? before + KEY : all,
    );
  return replaceNearCredential(clean, KEY);
}

/**
 * Replaces a value of 24 to 400 characters if spaces or tabs separate it from a name before it, and the name denotes a credential. The time
 * is linear in the length of the text.
 */
function replaceColumns(text: string, replacement: string): string {
  const replacing = new Replacing(text);
  let end = 0;
  eachRun(text, columnCharacters, SHORTEST_COLUMN, (valueStart) => {
    const start = nameBeforeColumn(text, valueStart);
    if (start < end) return;
    column.lastIndex = start;
    const [all, name = "", gap = ""] = column.exec(text) ?? [];
    if (all === undefined) return;
    end = start + all.length;
    if (secretName(name) === "certain") replacing.replace(start + name.length + gap.length, end, replacement);
  });
  return replacing.result;
}

/** Returns the start of the name before a value, if spaces or tabs separate both; otherwise -1. */
function nameBeforeColumn(text: string, valueStart: number): number {
  let at = valueStart;
  const skip = (characters: string): void => {
    while (at > 0 && characters.includes(text[at - 1] ?? "")) at--;
  };
  skip("\"'`\\");
  const gapEnd = at;
  skip(" \t");
  if (at === gapEnd) return -1;
  skip("\"'`\\]");
  while (at > 0 && /[\w-]/.test(text[at - 1] ?? "")) at--;
  return at;
}

/**
 * Replaces each random word if a word for credentials precedes it on the same line or on the line before. The time is linear in the length
 * of the text.
 */
function replaceNearCredential(text: string, replacement: string): string {
  const replacing = new Replacing(text);
  eachRun(text, randomCharacters, SHORTEST_RANDOM, (start, runEnd) => {
    const end = endOfRandom(text, start, runEnd);
    if (end < 0 || !isRandom(text.slice(start, end))) return;
    if (isAnnounced(text.slice(Math.max(0, start - CONTEXT), start)))
      replacing.replace(start, end, replacement);
  });
  return replacing.result;
}

/** Returns the end of the random word that begins at `start`, without full stops at its end; -1 if there is none. */
function endOfRandom(text: string, start: number, runEnd: number): number {
  for (let end = Math.min(runEnd, start + LONGEST_RANDOM); end - start >= SHORTEST_RANDOM; end--)
    if (text[end - 1] !== "." && (end === runEnd || text[end] === ".")) return end;
  return -1;
}

/** Whether a word looks random, and is not an id, number or digest. */
function isRandom(found: string): boolean {
  if (assigned.test(found)) return false;
  return /\d/.test(found) && looksRandom(found) && !id.test(found) && entropyOf(found) >= LEAST_ENTROPY;
}

/**
 * Whether the text before a random word shows that the word is a credential. True if the text contains a word for credentials, and no name
 * of another kind of value.
 */
function isAnnounced(before: string): boolean {
  // If the random word is alone on its line, `trimEnd` makes this the line before.
  const line = before.trimEnd().split("\n").at(-1) ?? "";
  const words = line.match(names) ?? [];
  if (!words.some((name, at) => announces(name) || announces(`${words[at - 1] ?? ""} ${name}`))) return false;
  const [, own] = ownName.exec(line) ?? [];
  return own === undefined || looksRandom(own) || secretName(own) !== null;
}

function announces(name: string): boolean {
  const kind = secretName(name);
  return kind === "certain" || kind === "service";
}

/** Returns the Shannon entropy of the characters of a text, in bits per character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
