const LEAST_ROWS = 2;
const commaOrQuoted = /"(?:[^"]|"")*"|,/g;

/**
 * Separates the columns of comma-separated rows with ` | `, because `3,24.95` in a row is two values. A text
 * counts as a table if its first line has no digit and each other line has as many columns as the first.
 */
export function withColumns(text: string): string {
  const lines = text.trim().split("\n");
  const [head = ""] = lines;
  if (lines.length < LEAST_ROWS || !head.includes(",") || /\d|, /.test(head)) return text;
  const columns = commasIn(head);
  return lines.every((line) => commasIn(line) === columns)
    ? lines.map((line) => line.replace(commaOrQuoted, (part) => (part === "," ? " | " : part))).join("\n")
    : text;
}

function commasIn(line: string): number {
  return (line.match(commaOrQuoted) ?? []).filter((part) => part === ",").length;
}
