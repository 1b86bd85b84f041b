const SHORTEST = 10;

/**
 * Whether a text is one word in which digits, capitals and small letters alternate. Returns true for hexadecimal digests, UUIDs and keys,
 * and false for dates, versions, model names and camelCase identifiers.
 */
export function looksRandom(text: string): boolean {
  if (text.length < SHORTEST || text.length > 4096 || !/^[\w.~=+/|:%-]+$/.test(text)) return false;
  let turns = 0;
  let digitTurns = 0;
  let previous = 0;
  for (let i = 0; i < text.length; i++) {
    const kind = kindOf(text.charCodeAt(i));
    // A capital before small letters begins a word of camelCase, so this change does not count as alternation.
    if (kind !== previous && kind !== 0 && previous !== 0 && !(previous === CAPITAL && kind === SMALL)) {
      turns++;
      if (kind === DIGIT || previous === DIGIT) digitTurns++;
    }
    previous = kind;
  }
  return turns >= Math.max(3, text.length * 0.25) || digitTurns >= Math.max(4, text.length / 10);
}

const DIGIT = 1;
const SMALL = 2;
const CAPITAL = 3;

function kindOf(code: number): number {
  if (code >= 48 && code <= 57) return DIGIT;
  if (code >= 97 && code <= 122) return SMALL;
  return code >= 65 && code <= 90 ? CAPITAL : 0;
}
