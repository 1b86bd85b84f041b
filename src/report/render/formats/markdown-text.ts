import { printable } from "../terminal/printable.ts";

/** The same in the type of code. */
export function code(text: string, longest = 160): string {
  return `<code>${plain(text, longest)}</code>`;
}

/** Untrusted text as text: what Markdown or HTML would take as a sign is written by its number, and no user is mentioned. */
export function plain(text: string, longest = 300): string {
  return printable(text, longest)
    .replace(/[\\`*_[\]<>&|~#$!:"'{}]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replaceAll("@", "@<!-- -->")
    .replace(/www\./gi, (found) => `${found.slice(0, 3)}&#46;`);
}
