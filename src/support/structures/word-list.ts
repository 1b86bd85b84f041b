/** Returns the words of a text, separated by white space. Long lists of names are declared as such a text. */
export function wordList(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
