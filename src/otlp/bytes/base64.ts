/** Encodes bytes as standard padded base64. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(binary);
}

/** Converts base64 into the standard form with padding; the input may be URL-safe or have no padding. `undefined` for any other text. */
export function normalBase64(text: string): string | undefined {
  const digits = text
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/={1,2}$/, "");
  if (!/^[A-Za-z0-9+/]*$/.test(digits) || digits.length % 4 === 1) return undefined;
  try {
    return btoa(atob(digits));
  } catch {
    return undefined;
  }
}
