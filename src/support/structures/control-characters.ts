/** Control characters (C0, delete and C1), which can control a terminal; for use in a character class. */
export const CONTROLS = "\\u0000-\\u001f\\u007f-\\u009f";
/**
 * Characters that reorder the text around them (Unicode's Bidi_Control), and separators that begin a line.
 */
const REORDERING = "\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069";
/**
 * Invisible characters that hide a difference between texts: soft hyphens, fillers, zero-width spaces,
 * deprecated characters.
 */
const INVISIBLE =
  "\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u2060-\\u2065\\u206a-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb";
/** Tags and variation selectors of plane 14, which can encode a whole invisible text. */
const TAGS = "\\udb40[\\udc00-\\udfff]";
/**
 * Joiners. Joiners belong to Arabic, Indic and other scripts, and to emoji; next to Latin letters they only
 * hide differences.
 */
const JOINERS = "(?<![^\\u0000-\\u024f])[\\u200c\\u200d]|[\\u200c\\u200d](?![^\\u0000-\\u024f])";

/** Characters that reorder or hide text. */
export const HIDDEN = `[${REORDERING}${INVISIBLE}]|${TAGS}|${JOINERS}`;

/**
 * Characters that are always safe and form most of a text. Skipping them reduces the search time to a tenth.
 */
const PLAIN = /[\t\n -~]+/g;

const SEEN_NOWHERE = new RegExp(HIDDEN, "g");
const MAYBE_HIDDEN = `${REORDERING}${INVISIBLE}\\u200c\\u200d\\udb40`;
const SUSPECT_OF_HIDING = new RegExp(`[${MAYBE_HIDDEN}]`);

/**
 * Unsafe characters: all except tabs, line feeds, carriage returns before them, and the colours of our
 * themes.
 */
const UNSAFE = new RegExp(`(?![\\t\\n]|\\r\\n|\\u001b\\[[\\d;]*m)(?:[${CONTROLS}]|${HIDDEN})`, "g");

/** Characters that `UNSAFE` may match; most texts contain none of them. */
const SUSPECT = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f${MAYBE_HIDDEN}]`);

/**
 * Escapes control characters except tabs, line ends and colours, and characters that reorder or hide text, as
 * `\uXXXX`. This function is the
 * last safeguard for all formats. In JSON such characters occur only in strings, where the escape has the
 * same meaning, so values do not change.
 */
export function escapeControls(text: string): string {
  return SUSPECT.test(text.replace(PLAIN, "")) ? text.replace(UNSAFE, escaped) : text;
}

const UNSAFE_IN_LINE = new RegExp(`(?!\\n)(?:[${CONTROLS}]|${HIDDEN})`, "g");

/**
 * Like `escapeControls` for a value in a format that escapes line feeds itself: it also escapes tabs,
 * carriage returns and colours.
 */
export function escapeControlsInValue(text: string): string {
  return text.replace(UNSAFE_IN_LINE, escaped);
}

/** Escapes characters that reorder or hide text as `\uXXXX`; control characters stay. */
export function showHidden(text: string): string {
  return SUSPECT_OF_HIDING.test(text.replace(PLAIN, "")) ? text.replace(SEEN_NOWHERE, escaped) : text;
}

const CONTROL = new RegExp(`(?![\\t\\n])[${CONTROLS}]`, "g");

/**
 * Like `showHidden`, and also replaces control characters except tabs and line feeds, for text that people
 * read.
 */
export function readable(text: string): string {
  return showHidden(text).replace(CONTROL, "\ufffd");
}

function escaped(found: string): string {
  return Array.from({ length: found.length }, (_, at) => {
    const unit = found.charCodeAt(at).toString(16).padStart(4, "0");
    return `\\u${unit}`;
  }).join("");
}
