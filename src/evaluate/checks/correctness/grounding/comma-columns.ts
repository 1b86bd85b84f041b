const LEAST_ROWS = 2;
/** Matches the space between status and size in a line of an access log: `"GET / HTTP/1.1" 401 199`. */
const statusAndSize = /(?<= HTTP\/\d(?:\.\d)?" \d{3}) (?=\d)/g;
const commaOrQuoted = /"(?:[^"]|"")*"|,/g;

/**
 * Separates columns of access logs and comma-separated tables with ` | `, because `3,24.95` in a table row is two values. A text is a table
 * if its first row has no digit and all rows have equally many columns. Rows are lines, or parts between semicolons if the text is one
 * line.
 */
export function withColumns(written: string): string {
  const text = written.replace(statusAndSize, " | ");
  const trimmed = text.trim();
  const end = trimmed.includes("\n") ? "\n" : ";";
  const lines = trimmed.split(end);
  const [head = ""] = lines;
  if (lines.length < LEAST_ROWS || !head.includes(",") || /\d|, /.test(head)) return text;
  const columns = commasIn(head);
  return lines.every((line) => commasIn(line) === columns)
    ? lines.map((line) => line.replace(commaOrQuoted, (part) => (part === "," ? " | " : part))).join(end)
    : text;
}

function commasIn(line: string): number {
  return (line.match(commaOrQuoted) ?? []).filter((part) => part === ",").length;
}
