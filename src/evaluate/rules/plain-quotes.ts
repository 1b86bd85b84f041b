/** Replaces typographic apostrophes and quotation marks by plain ones. */
export function plainQuotes(text: string): string {
  return text.replaceAll(/[‘’‛′]/g, "'").replaceAll(/[“”‟″]/g, '"');
}
