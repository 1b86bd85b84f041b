import { escapeControlsInValue } from "../../structures/control-characters.ts";
import { sha256 } from "../../structures/sha256.ts";

const longest = 200;

/**
 * A metric attribute from untrusted text, control characters escaped. A long one is shortened with a hash of the whole, so that memory is
 * bounded and two names never become one series.
 */
export function label(written: string): string {
  const text = escapeControlsInValue(written);
  return text.length <= longest ? text : `${text.slice(0, longest)}…${sha256(text).slice(0, 12)}`;
}
