const LEAST_ROWS = 2;
/** Matches the status and the size in a line of an access log: `"GET / HTTP/1.1" 401 199`. */
const statusAndSize = /(?<= HTTP\/\d(?:\.\d)?" \d{3}) (?=\d)/g;
const commaOrQuoted = /"(?:[^"]|"")*"|,/g;

/**
 * Separates the columns of access logs and of comma-separated rows with ` | `, because `3,24.95` in a row is
 * two values. A text is a table if its first row has no digit and each other row has as many columns as the
 * first row. Rows are lines or, in a single line, the parts between semicolons.
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
