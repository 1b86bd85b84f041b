/** Returns a text in which plain apostrophes and quotation marks replace typographic ones. */
export function plainQuotes(text: string): string {
  return text.replaceAll(/[‘’‛′]/g, "'").replaceAll(/[“”‟″]/g, '"');
}
