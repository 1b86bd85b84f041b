/** Longest run of characters without white space, quotation marks or commas that is searched for secrets. */
const LONGEST_WORD = 2 ** 20;

/** Whether a word ends at an ASCII character, by its code. */
const separators: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  " \t\n\r\f\v\"'`<>,;".includes(String.fromCharCode(code)),
);

/**
 * Replaces words of more than a MiB, such as files in base64. The patterns of secrets take seconds for such a word, or
 * exceed the stack of regular expressions.
 */
export function withholdLongWords(text: string, replacement: string): string {
  if (text.length <= LONGEST_WORD) return text;
  let clean = "";
  let done = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0x20;
    // Words of other alphabets are separated by characters that are not in this list.
    if (separators[code] === false) continue;
    if (at - start > LONGEST_WORD) {
      clean += text.slice(done, start) + replacement;
      done = at;
    }
    start = at + 1;
  }
  return clean + text.slice(done);
}
