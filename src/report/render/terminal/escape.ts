import { readable } from "../../../support/structures/control-characters.ts";

/** Matches characters that XML forbids even in escaped form, such as lone surrogates. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const LONGEST = 4000;

/**
 * Returns untrusted text in which hidden characters are made visible. Line breaks are preserved.
 * @param longest maximum length in UTF-16 units. Longer text is truncated
 */
export function visible(text: string, longest = LONGEST): string {
  const cut = text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
  return readable(cut.replaceAll("\r\n", "\n")).replace(NOT_XML, "\ufffd");
}

/**
 * References for escaped characters. Colons and number signs are escaped if they begin a command such as `::error::`, `##vso[…]` or
 * `##teamcity[…]`, because CI systems run commands in a job's output.
 */
const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "\n": "&#10;",
  "\t": "&#9;",
  ":": "&#58;",
  "#": "&#35;",
};

/** Escapes untrusted text for a quoted attribute of XML or HTML. */
export function attributeText(text: string, longest = LONGEST): string {
  return escaped(text, longest, /[&<>"'\n\t]|#(?=#(?:\[|vso\[|teamcity\[))/g);
}

/** Escapes untrusted text for the content of an XML or HTML element. */
export function elementText(text: string, longest = LONGEST): string {
  return escaped(text, longest, /[&<>]|(?<=^\s*):(?=:)|#(?=#(?:\[|vso\[|teamcity\[))/gm);
}

function escaped(text: string, longest: number, special: RegExp): string {
  return visible(text, longest).replace(special, (found) => entities[found] ?? found);
}
