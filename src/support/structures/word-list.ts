/** Returns the words of a text, separated by white space. Used to declare long lists of names as one text. */
export function wordList(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
