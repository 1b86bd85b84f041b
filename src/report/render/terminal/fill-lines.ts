/** Width of a terminal for which sentences of the console output are broken, in columns. */
export const TERMINAL_WIDTH = 80;

/**
 * Distributes parts, such as words, over lines of at most the given width. A longer part has its own line. Commands and YAML must not be
 * distributed, because users copy them.
 * @param firstWidth width of the first line, which may stand after other text
 */
export function fillLines(
  parts: readonly string[],
  separator: string,
  { firstWidth, width }: { readonly firstWidth: number; readonly width: number },
): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const part of parts) {
    const longer = line === "" ? part : line + separator + part;
    if (line === "" || Array.from(longer).length <= (lines.length === 0 ? firstWidth : width)) line = longer;
    else {
      lines.push(line);
      line = part;
    }
  }
  return [...lines, line];
}
