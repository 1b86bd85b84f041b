import { showHidden } from "../../src/support/structures/control-characters.ts";

/**
 * Matches escape sequences of characters that can reorder or hide text. JSON without such sequences can be parsed without checking each
 * text in it.
 */
const suspect = /\\u(?:00ad|034f|061c|115f|1160|17b[45]|180e|20[0-6][\da-f]|3164|feff|ffa0|fff[9ab]|db40)/i;

/** Parses JSON for display. Characters that reorder or hide text are replaced by `\uXXXX` in all texts and property names. */
export function parseShown(json: string): unknown {
  return suspect.test(json) || showHidden(json) !== json ? JSON.parse(json, shown) : JSON.parse(json);
}

function shown(_: string, value: unknown): unknown {
  if (typeof value === "string") return showHidden(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [showHidden(name), inner as unknown]),
  );
}
