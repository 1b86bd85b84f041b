/**
 * Returns the longest text that every match of a regular expression contains, ignoring case; empty if none is certain. Skips groups and
 * classes. Returns an empty text if the pattern has alternatives at its top level.
 */
export function requiredLiteral(pattern: string): string {
  const runs: string[] = [""];
  for (let at = 0; at < pattern.length;) {
    const piece = pieceAt(pattern, at);
    if (piece === undefined) return "";
    const after =
      /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(pattern.slice(at + piece.length, at + piece.length + 16))?.[0] ??
      "";
    const last = runs.length - 1;
    const certain = piece.literal !== undefined && (after === "" || after.startsWith("+"));
    if (certain) runs[last] = `${runs[last]}${piece.literal}`;
    if (!certain || after !== "") runs.push("");
    at += piece.length + after.length;
  }
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), "");
}

interface PatternPart {
  readonly length: number;
  /** The single character that this part of the pattern matches; absent if the part matches other characters, too. */
  readonly literal?: string;
}

/**
 * Returns the part of the pattern at a position. Undefined at a top-level `|`, after which no text is certain, and at `\Q` and
 * `\E`, which are not parsed. The pattern then has no required text.
 */
function pieceAt(pattern: string, at: number): PatternPart | undefined {
  const char = characterAt(pattern, at);
  if (char === "|") return undefined;
  if (char === "\\") return escapeAt(pattern, at);
  if (char === "(") return { length: groupLength(pattern, at) };
  if (char === "[") return { length: classLength(pattern, at) };
  if (char === "." || char === "^" || char === "$") return { length: 1 };
  return { length: char.length, literal: char };
}

/** Returns the character at a position, which may consist of two UTF-16 units; a quantifier applies to both. */
function characterAt(pattern: string, at: number): string {
  const point = pattern.codePointAt(at);
  return point === undefined ? "" : String.fromCodePoint(point);
}

function escapeAt(pattern: string, at: number): PatternPart | undefined {
  const next = characterAt(pattern, at + 1);
  if (next === "Q" || next === "E") return undefined;
  const long =
    /^\\(?:[pPx]\{[^}]*\}|[pP]\w|x[\da-fA-F]{2}|u\{[^}]*\}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0-7]{1,3})/.exec(
      pattern.slice(at, at + 40),
    );
  if (long) return { length: long[0].length };
  return /[A-Za-z0-9]/.test(next) ? { length: 2 } : { length: 1 + next.length, literal: next };
}

function classLength(pattern: string, at: number): number {
  let end = at + (pattern[at + 1] === "^" ? 2 : 1);
  if (pattern[end] === "]") end++;
  while (end < pattern.length && pattern[end] !== "]") {
    const posix = /^\[:\^?\w+:\]/.exec(pattern.slice(end, end + 16));
    end += posix ? posix[0].length : pattern[end] === "\\" ? 2 : 1;
  }
  return end + 1 - at;
}

function groupLength(pattern: string, at: number): number {
  let depth = 0;
  for (let end = at; end < pattern.length;) {
    const char = pattern[end];
    if (char === "(") depth++;
    if (char === ")" && --depth === 0) return end + 1 - at;
    end += char === "\\" ? 2 : char === "[" ? classLength(pattern, end) : 1;
  }
  return pattern.length - at;
}
