import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { yamlText } from "../../src/authoring/query-text/spec-text.ts";
import { printable } from "../../src/report/render/terminal/printable.ts";
import { visible } from "../../src/report/render/terminal/escape.ts";
import { escapeControls, readable, showHidden } from "../../src/support/structures/control-characters.ts";
import { parseShown } from "../../ui/src/shown-json.ts";

const hidden: readonly (readonly [string, string, string])[] = [
  ["right-to-left override", "\u202e", String.raw`\u202e`],
  ["isolate", "\u2066", String.raw`\u2066`],
  ["Arabic letter mark", "\u061c", String.raw`\u061c`],
  ["soft hyphen", "\u00ad", String.raw`\u00ad`],
  ["zero-width space", "\u200b", String.raw`\u200b`],
  ["zero-width non-joiner", "\u200c", String.raw`\u200c`],
  ["zero-width joiner", "\u200d", String.raw`\u200d`],
  ["word joiner", "\u2060", String.raw`\u2060`],
  ["byte order mark", "\ufeff", String.raw`\ufeff`],
  ["combining grapheme joiner", "\u034f", String.raw`\u034f`],
  ["Hangul filler", "\u3164", String.raw`\u3164`],
  ["tag", "\u{e0041}", String.raw`\udb40\udc41`],
  ["variation selector of plane 14", "\u{e0100}", String.raw`\udb40\udd00`],
];

describe.each(hidden)("a %s", (_, character, escape) => {
  const text = `pass${character}word`;
  const shown = `pass${escape}word`;

  test("a hidden character is shown escaped in terminals, reports, CSV and the page", () => {
    expect([printable(text), visible(text), readable(text), showHidden(text), escapeControls(text)]).toEqual(
      Array(5).fill(shown),
    );
    expect(parseShown(JSON.stringify({ text, [text]: [text] }))).toEqual({ text: shown, [shown]: [shown] });
    expect(parseShown(escapeControls(JSON.stringify({ text })))).toEqual({ text: shown });
  });

  test("is escaped in YAML and JSON, whose values stay", () => {
    expect(yamlText({ query: text }, { lineWidth: 0 })).not.toContain(character);
    expect(parse(yamlText({ query: text }, { lineWidth: 0 }))).toEqual({ query: text });
    expect(JSON.parse(escapeControls(JSON.stringify(text)))).toBe(text);
  });
});

test.each([
  ["an emoji of several", "👩‍💻 done"],
  ["Persian", "می‌خواهم"],
  ["Hindi", "क्‍ष"],
  ["an emoji with its variation selector", "❤️"],
  ["umlauts, and a combining accent", "Größe e\u0301"],
  ["Hebrew and Arabic without marks", "שלום مرحبا"],
])("%s stays as it is", (_, text) => {
  expect([readable(text), showHidden(text), escapeControls(text)]).toEqual([text, text, text]);
});
