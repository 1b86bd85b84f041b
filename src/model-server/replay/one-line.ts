/** Matches white space that is not a single blank. Matching single blanks, too, would take seconds for a text of some megabytes. */
const uneven = / \s+|[^\S ]\s*/g;

/** Returns a text on one line: each sequence of white space becomes a blank. */
export function oneLine(text: string): string {
  return text.replaceAll(uneven, " ").trim();
}
