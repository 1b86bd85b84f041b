/**
 * Maximum length of a run of characters without white space, quotation marks or commas that is searched for
 * secrets.
 */
const LONGEST_WORD = 2 ** 20;

/** Table by ASCII code: whether the character ends a word. */
const separators: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  " \t\n\r\f\v\"'`<>,;".includes(String.fromCharCode(code)),
);

/**
 * Replaces words of more than 1 MiB, such as files in base64. For such a word, the patterns of secrets take
 * seconds, or exceed the stack of the regular expression engine.
 */
export function withholdLongWords(text: string, replacement: string): string {
  if (text.length <= LONGEST_WORD) return text;
  let clean = "";
  let done = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0x20;
    // Characters above ASCII also end a word.
    if (separators[code] === false) continue;
    if (at - start > LONGEST_WORD) {
      clean += text.slice(done, start) + replacement;
      done = at;
    }
    start = at + 1;
  }
  return clean + text.slice(done);
}
