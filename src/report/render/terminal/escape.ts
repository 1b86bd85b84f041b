import { readable } from "../../../support/structures/control-characters.ts";

/** Characters that XML forbids even escaped, lone surrogates included. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const LONGEST = 4000;

/** A text from outside over as many lines as it has, nothing in it hidden, cut to `longest` characters. */
export function visible(text: string, longest = LONGEST): string {
  const cut = text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
  return readable(cut.replaceAll("\r\n", "\n")).replace(NOT_XML, "\ufffd");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "\n": "&#10;",
  "\t": "&#9;",
};

/** For an attribute of XML or HTML between quotes. */
export function attributeText(text: string, longest = LONGEST): string {
  return visible(text, longest).replace(/[&<>"'\n\t]/g, (found) => entities[found] ?? found);
}

/** For the content of an XML or HTML element. `]]>` cannot occur, for `>` is escaped. */
export function elementText(text: string, longest = LONGEST): string {
  return visible(text, longest).replace(/[&<>]/g, (found) => entities[found] ?? found);
}
