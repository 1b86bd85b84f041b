import { printable } from "../terminal/printable.ts";

/** Returns untrusted text as inline code of HTML. */
export function code(text: string, longest = 160): string {
  return `<code>${plain(text, longest)}</code>`;
}

/**
 * Returns untrusted text as plain text in Markdown.
 * Special characters become numeric references. An `@` does not mention a user.
 */
export function plain(text: string, longest = 300): string {
  return printable(text, longest)
    .replace(/[\\`*_[\]<>&|~#$!:"'{}]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replaceAll("@", "@<!-- -->")
    .replace(/www\./gi, (found) => `${found.slice(0, 3)}&#46;`);
}
