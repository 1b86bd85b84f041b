/** Whether one text holds the other, white space aside. */
export function holds(whole: string, part: string): boolean {
  return whole.includes(part) || squeeze(whole).includes(squeeze(part));
}

export function squeeze(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
