/** C0, delete and C1, which drive a terminal; for the inside of a character class. */
export const CONTROLS = "\\u0000-\\u001f\\u007f-\\u009f";
/** Marks that reorder the text around them (Unicode's Bidi_Control), and separators that begin a line. */
const REORDERING = "\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069";
/** Characters that show nothing and hide a difference between texts: soft hyphens, fillers, zero-width spaces, deprecated marks. */
const INVISIBLE =
  "\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u2060-\\u2065\\u206a-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb";
/** Tags and variation selectors of plane 14, which can encode a whole invisible text. */
const TAGS = "\\udb40[\\udc00-\\udfff]";
/** Joiners belong to Arabic, Indic and other scripts, and to emoji; beside Latin letters and the like they only hide. */
const JOINERS = "(?<![^\\u0000-\\u024f])[\\u200c\\u200d]|[\\u200c\\u200d](?![^\\u0000-\\u024f])";

/** Characters that reorder or hide text. */
export const HIDDEN = `[${REORDERING}${INVISIBLE}]|${TAGS}|${JOINERS}`;

/** What is never suspect, and most of most texts: without it, looking for the rest takes a tenth of the time. */
const PLAIN = /[\t\n -~]+/g;

const SEEN_NOWHERE = new RegExp(HIDDEN, "g");
const MAYBE_HIDDEN = `${REORDERING}${INVISIBLE}\\u200c\\u200d\\udb40`;
const SUSPECT_OF_HIDING = new RegExp(`[${MAYBE_HIDDEN}]`);

/** All but tabs, line feeds, carriage returns before them, and the colours that themes of ours write. */
const UNSAFE = new RegExp(`(?![\\t\\n]|\\r\\n|\\u001b\\[[\\d;]*m)(?:[${CONTROLS}]|${HIDDEN})`, "g");

/** What `UNSAFE` may match: most texts hold none of it. */
const SUSPECT = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f${MAYBE_HIDDEN}]`);

/**
 * Writes control characters and what reorders or hides text as `\uXXXX`, the last safeguard for all formats. Such characters stand in JSON
 * inside strings only, where the escape means the same, so the values of a JSON text do not change.
 */
export function escapeControls(text: string): string {
  return SUSPECT.test(text.replace(PLAIN, "")) ? text.replace(UNSAFE, escaped) : text;
}

const UNSAFE_IN_LINE = new RegExp(`(?!\\n)(?:[${CONTROLS}]|${HIDDEN})`, "g");

/** The same for a value inside a format that escapes line feeds itself: tabs, carriage returns and colours are escaped, too. */
export function escapeControlsInValue(text: string): string {
  return text.replace(UNSAFE_IN_LINE, escaped);
}

/** Writes what reorders or hides text as `\uXXXX`; control characters stay. */
export function showHidden(text: string): string {
  return SUSPECT_OF_HIDING.test(text.replace(PLAIN, "")) ? text.replace(SEEN_NOWHERE, escaped) : text;
}

const CONTROL = new RegExp(`(?![\\t\\n])[${CONTROLS}]`, "g");

/** The same, with control characters but tabs and line feeds replaced: for what people read. */
export function readable(text: string): string {
  return showHidden(text).replace(CONTROL, "\ufffd");
}

function escaped(found: string): string {
  return Array.from({ length: found.length }, (_, at) => {
    const unit = found.charCodeAt(at).toString(16).padStart(4, "0");
    return `\\u${unit}`;
  }).join("");
}
