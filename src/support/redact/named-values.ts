/** Matches the beginning of a name with its quotation mark and a colon, as in JSON, in a Python dictionary, or in JSON within a text. */
const quotedName = /(\\{0,8}["'])([^"'\\\r\n]{1,200})\1\s{0,20}:\s{0,20}/g;
const endOfScalar = /[\s,}\]]/g;

/**
 * Replaces the values of quoted names in a text that is not complete JSON: lines of JSON, JSON within prose, JSON that was cut. The time is
 * linear in the length of the text.
 */
export function replaceNamed(text: string, replacement: string, hides: (name: string) => boolean): string {
  let clean = "";
  let done = 0;
  quotedName.lastIndex = 0;
  for (let found = quotedName.exec(text); found !== null; found = quotedName.exec(text)) {
    const [, quote = "", name = ""] = found;
    if (!hides(name)) {
      // The quotation mark at the end of this match may begin the next name.
      quotedName.lastIndex = found.index + quote.length + name.length;
      continue;
    }
    const start = quotedName.lastIndex;
    const end = endOfValue(text, start, quote);
    clean += text.slice(done, start) + quote + replacement + quote;
    done = end;
    quotedName.lastIndex = end;
  }
  return done === 0 ? text : clean + text.slice(done);
}

/** Returns the end of a value. A value without an end, for example in a text that was cut, has the end of the text. */
function endOfValue(text: string, start: number, quote: string): number {
  if (opensString(text, start, quote)) return endOfString(text, start, quote);
  if (text[start] !== "{" && text[start] !== "[") {
    endOfScalar.lastIndex = start;
    return endOfScalar.exec(text)?.index ?? text.length;
  }
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (opensString(text, at, quote)) at = endOfString(text, at, quote) - 1;
    else if (text[at] === "{" || text[at] === "[") depth++;
    else if ((text[at] === "}" || text[at] === "]") && --depth === 0) return at + 1;
  }
  return text.length;
}

/** A value may have another quotation mark than its name, as in a Python dictionary, but the same number of backslashes. */
function opensString(text: string, at: number, quote: string): boolean {
  return text.startsWith(quote.slice(0, -1), at) && /["']/.test(text[at + quote.length - 1] ?? "");
}

function endOfString(text: string, start: number, quote: string): number {
  const slashes = quote.length - 1;
  const mark = text[start + slashes] ?? "";
  // Each level of JSON within JSON doubles the backslashes, so a quotation mark within the string has more of them than the last one.
  for (let at = text.indexOf(mark, start + quote.length); at >= 0; at = text.indexOf(mark, at + 1))
    if (slashesBefore(text, at) % (2 * quote.length) === slashes) return at + 1;
  return text.length;
}

function slashesBefore(text: string, at: number): number {
  let slashes = 0;
  while (text[at - 1 - slashes] === "\\") slashes++;
  return slashes;
}
