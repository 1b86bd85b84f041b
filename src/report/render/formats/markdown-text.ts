import { printable } from "../terminal/printable.ts";

/** Returns untrusted text as an HTML `<code>` element. */
export function code(text: string, longest = 160): string {
  return `<code>${plain(text, longest)}</code>`;
}

/**
 * Returns untrusted text that Markdown displays unchanged: special characters become numeric references, and
 * `@` mentions no user.
 */
export function plain(text: string, longest = 300): string {
  return printable(text, longest)
    .replace(/[\\`*_[\]<>&|~#$!:"'{}]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replaceAll("@", "@<!-- -->")
    .replace(/www\./gi, (found) => `${found.slice(0, 3)}&#46;`);
}
