/** Returns the words of a text, separated by white space. Long lists of names are written this way. */
export function wordList(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
