/** Decodes a percent-encoded text. A text with an invalid encoding is returned unchanged. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
