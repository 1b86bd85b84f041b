/**
 * Whether a web page of this origin may send telemetry. An allowed origin may hold `*` for any part of a host name, and is `*` alone
 * for every page.
 */
export function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  const shown = origin.toLowerCase();
  return allowed.some((pattern) => fits(shown, pattern.toLowerCase()));
}

/** Without a regular expression: both texts may come from untrusted input. */
function fits(origin: string, pattern: string): boolean {
  if (pattern === "*") return true;
  const parts = pattern.split("*");
  const first = parts[0] ?? "";
  const last = parts.at(-1) ?? "";
  if (parts.length === 1) return origin === pattern;
  if (!origin.startsWith(first) || origin.length < first.length + last.length) return false;
  if (!origin.endsWith(last)) return false;
  let at = first.length;
  const end = origin.length - last.length;
  for (const part of parts.slice(1, -1)) {
    const found = origin.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return !/[/@]/.test(origin.slice(first.length, end));
}
