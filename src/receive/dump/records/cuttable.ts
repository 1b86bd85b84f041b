import { openSource } from "../files/byte-source.ts";
import { formOf } from "./form.ts";
import type { DumpPath } from "../files/paths.ts";
import { readJsonRecord } from "./record.ts";
import { Window } from "../files/window.ts";

const LINE_FEED = 10;
const BRACE = 123;

/**
 * Whether a reader can skip records of the file without decoding them. True if records have a length prefix, or if the first line of the
 * file is a complete JSON document.
 */
export async function isCuttable(dump: DumpPath): Promise<boolean> {
  let close = (): void => undefined;
  try {
    const source = openSource(dump.path);
    close = () => source.close();
    const window = new Window(source, dump.size, true);
    await window.fill();
    const form = formOf(window.buffer.subarray(0, window.end), window.ended);
    if (form !== "json") return form === "framed";
    if (window.buffer[0] !== BRACE) return false;
    let feed = feedIn(window);
    for (; feed < 0 && !window.ended; feed = feedIn(window)) await window.fill();
    return feed > 0 && readJsonRecord(window.buffer.subarray(0, feed)).ok;
  } catch {
    return false;
  } finally {
    close();
  }
}

/** Returns the position of the first line feed; -1 if the window contains none. */
function feedIn({ buffer, end }: Window): number {
  return buffer.subarray(0, end).indexOf(LINE_FEED);
}
