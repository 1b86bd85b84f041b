/**
 * Maximum length of a word that is searched for secrets. White space, quotation marks and commas end a word.
 */
const LONGEST_WORD = 2 ** 20;

/** Whether the character ends a word, by ASCII code. */
const separators: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  " \t\n\r\f\v\"'`<>,;".includes(String.fromCharCode(code)),
);

/**
 * Replaces words of more than 1 MiB, such as files in base64. Searching a word of more than 1 MiB for secrets
 * takes seconds, or exceeds the stack of the regular expression engine.
 */
export function withholdLongWords(text: string, replacement: string): string {
  if (text.length <= LONGEST_WORD) return text;
  let clean = "";
  let done = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0x20;
    // A character above ASCII also ends a word.
    if (separators[code] === false) continue;
    if (at - start > LONGEST_WORD) {
      clean += text.slice(done, start) + replacement;
      done = at;
    }
    start = at + 1;
  }
  return clean + text.slice(done);
}
