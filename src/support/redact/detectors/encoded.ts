/** Texts inside encoded texts are followed this deep. */
const DEEPEST = 3;
const base64 = /(?<![A-Za-z0-9+/_%-])[A-Za-z0-9+/_-]{12,}={0,2}/g;
const word = /[^\s"<>]+/g;

/**
 * The text with those words replaced that are base64 of a text in which `clean` finds something, and with what `clean`
 * changes in percent-encoded words. Takes time in proportion to the text.
 */
export function replaceEncoded(
  text: string,
  replacement: string,
  clean: (text: string, depth: number) => string,
  depth: number,
): string {
  if (depth >= DEEPEST) return text;
  const decoded = text.replace(base64, (encoded) => {
    const inner = textOfBase64(encoded);
    return inner !== null && clean(inner, depth + 1) !== inner ? replacement : encoded;
  });
  if (!decoded.includes("%")) return decoded;
  return decoded.replace(word, (encoded) => {
    const inner = percentDecoded(encoded);
    if (inner === encoded) return encoded;
    const cleaned = clean(inner, depth + 1);
    return cleaned === inner ? encoded : encodeURIComponent(cleaned);
  });
}

/** The text that is encoded; null where the bytes are no text. */
function textOfBase64(encoded: string): string | null {
  const standard = encoded.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  if (standard.length % 4 === 1) return null;
  // Most such words are ids and images: their first bytes show it.
  if (!isReadable(atob(standard.slice(0, 12)))) return null;
  const binary = atob(standard);
  if (!isReadable(binary)) return null;
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}

/** Whether bytes, one a character, can be UTF-8 text: no control characters but line breaks and tabs. */
function isReadable(bytes: string): boolean {
  return !/[^\P{Cc}\t\n\r\u0080-\u009f]/u.test(bytes);
}

/** Decodes what can be decoded; a stray percent sign stays. */
function percentDecoded(encoded: string): string {
  return encoded.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
}
