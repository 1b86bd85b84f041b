import { printable } from "../terminal/printable.ts";

/** Returns untrusted text as inline code. */
export function code(text: string, longest = 160): string {
  return `<code>${plain(text, longest)}</code>`;
}

/**
 * Returns untrusted text as plain text: special characters of Markdown and HTML become numeric references,
 * and no user is mentioned.
 */
export function plain(text: string, longest = 300): string {
  return printable(text, longest)
    .replace(/[\\`*_[\]<>&|~#$!:"'{}]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replaceAll("@", "@<!-- -->")
    .replace(/www\./gi, (found) => `${found.slice(0, 3)}&#46;`);
}
