/** White space that is not a single blank already: to replace each blank by itself takes seconds in texts of megabytes. */
const uneven = /\s{2,}|[^\S ]/g;

/** A text in one line: each stretch of white space becomes one blank. */
export function oneLine(text: string): string {
  return text.replaceAll(uneven, " ").trim();
}
