import { replaceAssigned } from "./assignments.ts";
import { privateKey, replaceKnownForms, secretPath } from "./key-formats.ts";
import { isRandom, replaceNearCredential } from "./near-credential.ts";
import { secretName } from "./secret-names.ts";
import { isPlaceholder, isSentence, mixesCharacters } from "./secret-values.ts";

const KEY = "[key]";

const scheme = /\b(Bearer|Basic|Digest|Token|ApiKey) {1,3}([\w.~+/=-]{8,4000})/gi;
const passwordOfAddress = /(:\/\/[^\s:/@]{0,200}:)[^\s/@]{1,500}@/g;
/** The whole header, whatever its cookies are called. */
const cookies =
  /\b((?:set-)?cookie\\?["']?[ ]{0,3}[=:][ ]{0,3}\\?["']?)[^\s"'\\=;]{1,256}=[^\n\r"'\\]{1,8192}/gi;
/** `my password is hunter22`; what is said to be a key without more counts only where it looks like one. */
const sentence =
  /\b((password|passphrase|passcode|api key|secret key|access key|token|key) (?:is|was)[ \t]{1,3}["'`]?)([^\s"'`,;<>]{4,200})/gi;
/** `--password hunter22`. */
const option = /(?<![\w-])(--?([a-z][\w-]{1,40})[ \t]{1,3}["']?)([^\s"'-][^\s"']{3,500})/gi;
/** `curl -u name:password`. */
const user =
  /(\bcurl\b[\s\S]{0,500}?\s(?:-u|--user)[ \t=]{1,8}\\?["']?[^\s:"'\\]{1,100}\\?["']?:\\?["']?)[^\s"'\\]{2,200}/gi;
/** A name and its value as two fields of one record: `{"name":"password","value":"hunter22"}`, also as OTLP writes it. */
const pair =
  /((?<![\w-])(?:key|name|k)\\*["']?\s{0,3}[=:]\s{0,3}\\*["']([\w.-]{1,80})\\*["'][\s,]{0,5}\\*["']?(?:value|v)\\*["']?\s{0,3}[=:]\s{0,3}(?:\{\s{0,3}\\*["']string_?[vV]alue\\*["']\s{0,3}:\s{0,3})?\\*["'])([^"'\\]{1,4000})/gi;

/** A name and its value in columns: `api_key    f00d…`. */
const column = /(?<![\w-])([\w-]{2,60})(\\*["'`]?\]?[ \t]{1,40}\\*["'`]?)([\w/+=-]{24,400})(?![\w/+=-])/g;

/** The text without keys, tokens, private keys, passwords in addresses, and values that their names announce. */
export function replaceKeys(text: string): string {
  let clean = text
    .replace(privateKey, KEY)
    .replace(passwordOfAddress, `$1${KEY}@`)
    .replace(secretPath, `$1${KEY}`)
    .replace(cookies, `$1${KEY}`);
  clean = replaceKnownForms(clean, KEY)
    .replace(scheme, (all, name: string, value: string) =>
      /^[BD]/i.test(name) || mixesCharacters(value) ? `${name} ${KEY}` : all,
    )
    .replace(pair, (all, before: string, name: string, value: string) =>
      secretName(name) === "certain" && !isSentence(value) && !isPlaceholder(value) ? before + KEY : all,
    );
  clean = replaceAssigned(clean, KEY)
    .replace(column, (all, name: string, gap: string) =>
      secretName(name) === "certain" ? name + gap + KEY : all,
    )
    .replace(sentence, (all, before: string, name: string, value: string) =>
      (/^key$/i.test(name) ? isRandom(value) : mixesCharacters(value) && !isPlaceholder(value))
        ? before + KEY
        : all,
    )
    .replace(option, (all, before: string, name: string, value: string) =>
      secretName(name) === "certain" && !isPlaceholder(value) ? before + KEY : all,
    );
  if (clean.includes("curl")) clean = clean.replace(user, `$1${KEY}`);
  return replaceNearCredential(clean, KEY);
}
