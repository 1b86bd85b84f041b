/** C0, delete and C1, which drive a terminal; for the inside of a character class. */
export const CONTROLS = "\\u0000-\\u001f\\u007f-\\u009f";
/** Marks that reorder the text around them (Unicode's Bidi_Control), and separators that begin a line. */
export const REORDERING = "\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069";
/** Characters of no width, which hide a difference between texts. */
export const INVISIBLE = "\\u200b\\u2060-\\u2065\\ufeff";

/** All but tabs, line feeds, carriage returns before them, and the colours that themes of ours write. */
const UNSAFE = new RegExp(`(?![\\t\\n]|\\r\\n|\\u001b\\[[\\d;]*m)[${CONTROLS}${REORDERING}]`, "g");

/** What `UNSAFE` may match: most texts hold none of it, and this takes a fifth of the time. */
const SUSPECT = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f${REORDERING}]`);

/**
 * Writes control characters and reordering marks of an output as `\uXXXX`, the last safeguard for all formats. Such characters stand
 * in JSON inside strings only, where the escape means the same, so the values of a JSON text do not change.
 */
export function escapeControls(text: string): string {
  return SUSPECT.test(text) ? text.replace(UNSAFE, escaped) : text;
}

const UNSAFE_IN_LINE = new RegExp(`(?!\\n)[${CONTROLS}${REORDERING}]`, "g");

/** The same for a value inside a format that escapes line feeds itself: tabs, carriage returns and colours are escaped, too. */
export function escapeControlsInValue(text: string): string {
  return text.replace(UNSAFE_IN_LINE, escaped);
}

function escaped(found: string): string {
  return `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
