/** The words of a text, which white space separates: how tables of many names are written. */
export function wordList(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
