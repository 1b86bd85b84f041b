const ascii = /^[\x20-\x7e]*$/;

/** Folds case through upper case, so that ß, ẞ and SS become equal, and ς and σ become equal. */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  return ascii.test(text) ? lower : lower.toUpperCase().toLowerCase().replaceAll("ς", "σ");
}
