/** Maximum depth of encoded texts inside encoded texts. */
const DEEPEST = 3;
const base64 = /(?<![A-Za-z0-9+/_%-])[A-Za-z0-9+/_-]{12,}={0,2}/g;
const word = /[^\s"<>]+/g;

/**
 * Replaces base64 words whose decoded text contains something that `clean` removes, and redacts
 * percent-encoded words. The time is linear in the text's length.
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

/** Decodes base64; null if the bytes are not text. */
function textOfBase64(encoded: string): string | null {
  const standard = encoded.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  if (standard.length % 4 === 1) return null;
  // Most base64 words are ids and images, which their first bytes show.
  if (!isReadable(atob(standard.slice(0, 12)))) return null;
  const binary = atob(standard);
  if (!isReadable(binary)) return null;
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}

/**
 * Whether bytes, given as one character each, can be UTF-8 text: no control characters except line breaks and
 * tabs.
 */
function isReadable(bytes: string): boolean {
  return !/[^\P{Cc}\t\n\r\u0080-\u009f]/u.test(bytes);
}

/** Decodes valid percent-encoding; a stray percent sign stays. */
function percentDecoded(encoded: string): string {
  return encoded.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
}
