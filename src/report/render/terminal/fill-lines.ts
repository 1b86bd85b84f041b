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
  const lines: string[][] = [];
  let left = 0;
  for (const part of parts) {
    const needed = widthOf(separator) + widthOf(part);
    if (lines.length > 0 && needed <= left) lines.at(-1)?.push(part);
    else {
      left = (lines.length === 0 ? firstWidth : width) + widthOf(separator);
      lines.push([part]);
    }
    left -= needed;
  }
  return lines.length === 0 ? [""] : lines.map((line) => line.join(separator));
}

function widthOf(text: string): number {
  return Array.from(text).length;
}
