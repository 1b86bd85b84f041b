/** Whether one text holds the other, white space aside. */
export function holdsText(whole: string, part: string): boolean {
  return whole.includes(part) || withSingleSpaces(whole).includes(withSingleSpaces(part));
}

export function withSingleSpaces(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
