/**
 * Returns the words of a text, which are separated by white space. Long lists of names are declared this way.
 */
export function wordList(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
