import { escapeControls } from "../../support/structures/control-characters.ts";

/** Maximum number of characters of a response. A longer response would fill the model's context. */
const LONGEST_TEXT = 60_000;

/**
 * Shortens a text for a model. The middle is left out, because reports list failures and the exit code at the
 * end.
 */
export function shortened(whole: string): string {
  const text = escapeControls(whole);
  const more = text.length - LONGEST_TEXT;
  if (more <= 0) return text;
  const half = LONGEST_TEXT / 2;
  return `${text.slice(0, half)}\n… truncated: ${more} characters are left out here. Request less at a time.\n${text.slice(-half)}`;
}
