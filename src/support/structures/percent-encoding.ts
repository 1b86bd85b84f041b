/** Decodes a percent-encoded text. If the encoding is invalid, returns the text unchanged. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
