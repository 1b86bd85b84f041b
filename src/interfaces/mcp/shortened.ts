import { escapeControls } from "../../support/structures/control-characters.ts";

/** Maximum number of characters of one response, to protect the model's context. */
const LONGEST_TEXT = 60_000;

/**
 * Returns a text for a model. Of a long text, the middle is left out, because reports have failures and the
 * exit code at their end.
 */
export function shortened(whole: string): string {
  const text = escapeControls(whole);
  const more = text.length - LONGEST_TEXT;
  if (more <= 0) return text;
  const half = LONGEST_TEXT / 2;
  return `${text.slice(0, half)}\n… cut: ${more} characters are left out here. Ask for less at a time.\n${text.slice(-half)}`;
}
