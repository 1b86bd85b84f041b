/** A text with plain apostrophes and quotation marks in place of typographic ones. */
export function plainQuotes(text: string): string {
  return text.replaceAll(/[‘’‛′]/g, "'").replaceAll(/[“”‟″]/g, '"');
}
