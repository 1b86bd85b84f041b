const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;

/** Splits a JSON array of objects into the texts of its items, without validating them. Returns null for any other text. */
export function objectItemsOf(text: string): readonly string[] | null {
  let at = afterSpace(text, 0);
  if (text[at] !== "[") return null;
  const items: string[] = [];
  for (;;) {
    const start = afterSpace(text, at + 1);
    const end = text[start] === "{" ? endOfObject(text, start) : -1;
    if (end < 0) return null;
    items.push(text.slice(start, end));
    at = afterSpace(text, end);
    if (text.charCodeAt(at) === COMMA) continue;
    return text[at] === "]" && afterSpace(text, at + 1) === text.length ? items : null;
  }
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\n\r".includes(text[at] ?? "")) at++;
  return at;
}

/** Returns the index after the object that begins at `start`, or -1 if the object does not end. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      if (at < 0) return -1;
    } else if (code === 123 || code === 91) depth++;
    else if ((code === 125 || code === 93) && --depth === 0) return at + 1;
  }
  return -1;
}

/** Returns the index of the quotation mark that closes a string, or -1. */
function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
  return slashes % 2 === 1;
}
