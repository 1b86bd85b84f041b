import { sha256 } from "../model/sha256.ts";

const longest = 200;

/**
 * A metric attribute from a stranger's text. A long one is shortened with a hash of the whole, so that memory is bounded and two
 * names never become one series.
 */
export function label(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…${sha256(text).slice(0, 12)}`;
}
