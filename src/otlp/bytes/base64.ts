/** Standard padded base64 of bytes. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(binary);
}

/** Standard padded form of base64 that may use the URL alphabet and lack its padding; `undefined` when it is none. */
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
