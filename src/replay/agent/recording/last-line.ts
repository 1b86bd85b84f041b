import { appendFileSync, closeSync, existsSync, openSync, readSync, statSync, truncateSync } from "node:fs";

const NEWLINE = 10;
/** Number of bytes that are read at a time, from the end of the file backwards. */
const BLOCK = 2 ** 16;
/** Matches the beginning of a line that Tracejury recorded. */
const OTLP_LINE = /^\{"resource(?:Spans|Logs)":/;

/** Prepares a dump for appending: adds a missing line break at the end, or removes the partial last line of a recording that was killed. */
export function endLastLine(path: string): void {
  if (!existsSync(path)) return;
  const { size } = statSync(path);
  const start = startOfLastLine(path, size);
  if (start === size) return;
  const line = bytesAt(path, start, size - start).toString();
  if (isJson(line)) appendFileSync(path, "\n");
  else if (OTLP_LINE.test(line)) truncateSync(path, start);
}

/** Returns the offset after the last line break. */
function startOfLastLine(path: string, size: number): number {
  for (let end = size; end > 0; end = Math.max(0, end - BLOCK)) {
    const from = Math.max(0, end - BLOCK);
    const at = bytesAt(path, from, end - from).lastIndexOf(NEWLINE);
    if (at >= 0) return from + at + 1;
  }
  return 0;
}

function bytesAt(path: string, start: number, length: number): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, start));
  } finally {
    closeSync(file);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
