const LEAST_ROWS = 2;
/** Matches the status and the size in a line of an access log: `"GET / HTTP/1.1" 401 199`. */
const statusAndSize = /(?<= HTTP\/\d(?:\.\d)?" \d{3}) (?=\d)/g;
const commaOrQuoted = /"(?:[^"]|"")*"|,/g;

/**
 * Separates the columns of access logs, and of comma-separated rows, with ` | `, because `3,24.95` in a row is two values. A text is a table
 * if its first line has no digit and its other lines have as many columns. Rows are lines, or parts between semicolons
 * of a single line.
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
