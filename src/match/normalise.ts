const ascii = /^[\x20-\x7e]*$/;
const whiteSpace = /[\s\p{Cc}\u00ad\u200b\u2060\ufeff]+/gu;
const endPunctuation = /[\s.!?,;:…。、।॥؟؛،۔]+$/u;

/**
 * A text as far as its meaning goes: Unicode NFKC, without case, white space runs as one space, typographic quotes as plain
 * ones, without punctuation at the end (a text of nothing else keeps it). Applying it twice changes nothing more.
 */
export function normaliseText(text: string): string {
  let current = once(text);
  // Folding case can make a form that NFKC composes anew; a second pass has settled all that are known.
  for (let pass = 0; pass < 4 && !ascii.test(current); pass++) {
    const next = once(current);
    if (next === current) break;
    current = next;
  }
  return current;
}

function once(text: string): string {
  const tidy = tidyText(text);
  return ascii.test(tidy) ? tidy.toLowerCase() : tidyText(foldCase(tidy));
}

/** The same but for case, so that what a template captures reads as the user wrote it. */
export function tidyText(text: string): string {
  const composed = ascii.test(text)
    ? text
    : text
        .normalize("NFKC")
        .replaceAll(/[‘’‛′]/g, "'")
        .replaceAll(/[“”‟″]/g, '"');
  const spaced = composed.replaceAll(whiteSpace, " ").trim();
  const stripped = spaced.replace(endPunctuation, "");
  return stripped === "" ? spaced : stripped;
}

/** Through upper case, so that ß, ẞ and SS, ς and σ are one. */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  return ascii.test(text) ? lower : lower.toUpperCase().toLowerCase().replaceAll("ς", "σ");
}
