/**
 * Control characters (C0, delete and C1) for a character class. Control characters in output could control
 * the terminal.
 */
export const CONTROLS = "\\u0000-\\u001f\\u007f-\\u009f";
/**
 * Characters that reorder the text around them (Unicode's Bidi_Control), and line and paragraph separators.
 */
const REORDERING = "\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069";
/**
 * Invisible characters that make different texts look equal: soft hyphens, fillers, zero-width spaces,
 * deprecated characters.
 */
const INVISIBLE =
  "\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u2060-\\u2065\\u206a-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb";
/** Tags and variation selectors of plane 14, which can encode a whole invisible text. */
const TAGS = "\\udb40[\\udc00-\\udfff]";
/**
 * Zero-width joiners without a character above U+024F on both sides. Between characters of Arabic, Indic and other scripts, and between
 * emoji, joiners are needed. Next to Latin letters, they only make different texts look equal.
 */
const JOINERS = "(?<![^\\u0000-\\u024f])[\\u200c\\u200d]|[\\u200c\\u200d](?![^\\u0000-\\u024f])";

export const HIDDEN = `[${REORDERING}${INVISIBLE}]|${TAGS}|${JOINERS}`;

/**
 * Matches runs of characters that are safe in every text. Skipping them reduces the search time to a tenth, because most characters are
 * safe.
 */
const PLAIN = /[\t\n -~]+/g;

const SEEN_NOWHERE = new RegExp(HIDDEN, "g");
const MAYBE_HIDDEN = `${REORDERING}${INVISIBLE}\\u200c\\u200d\\udb40`;
const SUSPECT_OF_HIDING = new RegExp(`[${MAYBE_HIDDEN}]`);

/**
 * Matches unsafe characters, which are control characters and hidden characters. Does not match tabs, line feeds, carriage returns before
 * line feeds, and a terminal's colour sequences.
 */
const UNSAFE = new RegExp(`(?![\\t\\n]|\\r\\n|\\u001b\\[[\\d;]*m)(?:[${CONTROLS}]|${HIDDEN})`, "g");

/**
 * Matches every character that `UNSAFE` could match. Most texts contain no such character, so they need not be searched with `UNSAFE`,
 * which is slower.
 */
const SUSPECT = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f${MAYBE_HIDDEN}]`);

/**
 * Escapes unsafe characters as `\uXXXX`: control characters (except tabs, line ends and terminal colours), and characters that reorder or
 * hide text. Every output is passed through this function last, in any format. In JSON, unsafe characters occur only in strings, where
 * `\uXXXX` has the same meaning.
 */
export function escapeControls(text: string): string {
  return SUSPECT.test(text.replace(PLAIN, "")) ? text.replace(UNSAFE, escaped) : text;
}

const UNSAFE_IN_LINE = new RegExp(`(?!\\n)(?:[${CONTROLS}]|${HIDDEN})`, "g");

/**
 * Escapes unsafe characters in a value, for a format that escapes line feeds itself. Unlike `escapeControls`,
 * this function also escapes tabs, carriage returns and colours.
 */
export function escapeControlsInValue(text: string): string {
  return text.replace(UNSAFE_IN_LINE, escaped);
}

/** Escapes characters that reorder or hide text as `\uXXXX`. Does not change control characters. */
export function showHidden(text: string): string {
  return SUSPECT_OF_HIDING.test(text.replace(PLAIN, "")) ? text.replace(SEEN_NOWHERE, escaped) : text;
}

const CONTROL = new RegExp(`(?![\\t\\n])[${CONTROLS}]`, "g");

/**
 * Makes a text safe to show: escapes characters that reorder or hide text as `\uXXXX`, and replaces control
 * characters except tabs and line feeds by U+FFFD.
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
