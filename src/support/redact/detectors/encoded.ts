import { eachRun, Replacing, wordCharacters } from "./word-runs.ts";

/** Maximum depth of encoded text inside encoded text. */
const DEEPEST = 3;
const base64Characters = wordCharacters(/[A-Za-z0-9+/_-]/);
const SHORTEST_BASE64 = 12;
const word = /[^\s"<>]+/g;

/**
 * Replaces base64 words whose decoded text contains sensitive data, and redacts percent-encoded words. The time is linear in the length of
 * the text.
 * @param clean redacts a decoded text; if the result differs from the text, the text contains sensitive data
 */
export function replaceEncoded(
  text: string,
  replacement: string,
  clean: (text: string, depth: number) => string,
  depth: number,
): string {
  if (depth >= DEEPEST) return text;
  const replacing = new Replacing(text);
  eachRun(text, base64Characters, SHORTEST_BASE64, (start, end) => {
    if (text[start - 1] === "%") return;
    const inner = textOfBase64(text.slice(start, end));
    if (inner === null || clean(inner, depth + 1) === inner) return;
    const padding = text[end] !== "=" ? 0 : text[end + 1] !== "=" ? 1 : 2;
    replacing.replace(start, end + padding, replacement);
  });
  const decoded = replacing.result;
  if (!decoded.includes("%")) return decoded;
  return decoded.replace(word, (encoded) => {
    const inner = percentDecoded(encoded);
    if (inner === encoded) return encoded;
    const cleaned = clean(inner, depth + 1);
    return cleaned === inner ? encoded : encodeURIComponent(cleaned);
  });
}

/** Decodes base64; null if the decoded bytes are not text. */
function textOfBase64(encoded: string): string | null {
  // Most base64 words are ids, images or names in code. Their first decoded bytes already show that they are not text, so the remaining
  // bytes need not be decoded.
  if (!isReadable(bytesOfBase64(encoded.slice(0, SHORTEST_BASE64)))) return null;
  if (encoded.length % 4 === 1) return null;
  const binary = bytesOfBase64(encoded);
  if (!isReadable(binary)) return null;
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}

/** Decodes base64, in the usual or the URL-safe alphabet. Each byte becomes one character. */
function bytesOfBase64(encoded: string): string {
  return atob(encoded.replaceAll("-", "+").replaceAll("_", "/"));
}

/** Whether bytes, given as one character each, can be UTF-8 text. The only control characters that are allowed are line breaks and tabs. */
function isReadable(bytes: string): boolean {
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes.charCodeAt(at);
    if (code === 0x7f || (code < 0x20 && code !== 9 && code !== 10 && code !== 13)) return false;
  }
  return true;
}

/** Decodes percent-encoding. Invalid sequences are left unchanged. */
function percentDecoded(encoded: string): string {
  return encoded.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
}
