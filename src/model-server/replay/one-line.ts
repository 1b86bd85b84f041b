/**
 * Matches white space except single blanks. Replacing every blank as well would take seconds for texts of some
 * megabytes.
 */
const uneven = /\s{2,}|[^\S ]/g;

/** Returns a text on one line; each sequence of white space becomes one blank. */
export function oneLine(text: string): string {
  return text.replaceAll(uneven, " ").trim();
}
