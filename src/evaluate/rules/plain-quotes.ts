/** Returns a text with plain apostrophes and quotation marks instead of typographic ones. */
export function plainQuotes(text: string): string {
  return text.replaceAll(/[‘’‛′]/g, "'").replaceAll(/[“”‟″]/g, '"');
}
