/** Control characters, and marks that reorder or hide text: what strangers write must not drive a terminal. */
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A text from outside on one line, safe to print and at most `longest` characters long. */
export function printable(text: string, longest = 160): string {
  const line = text
    .slice(0, longest * 4)
    .replace(/\s+/g, " ")
    .replace(UNPRINTABLE, "\ufffd")
    .trim();
  if (line.length <= longest) return text.length > longest * 4 ? `${line}…` : line;
  const end = longest - 1;
  const split = line.charCodeAt(end - 1) >= 0xd800 && line.charCodeAt(end - 1) <= 0xdbff;
  return `${line.slice(0, split ? end - 1 : end)}…`;
}

/** `1.8 s`, `820 ms`, `3 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `1 run`, `3 runs`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
