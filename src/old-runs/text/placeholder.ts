const exact: ReadonlySet<string> = new Set([
  "__REDACTED__",
  "readacted",
  "<REDACTED>",
  "[REDACTED]",
  "<redacted>",
  "[redacted]",
  "<not specified>",
  "<not serializable>",
  "N/A",
  "<no value>",
  "[object Object]",
  "<nil>",
]);

const LONGEST = Math.max(...Array.from(exact, (text) => text.length));

/** True for what producers write in place of a text that they were told to hide or could not write. */
export function isPlaceholder(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first === 34) return text.endsWith('"') && /^"[<[_rN]/.test(text) && isPlaceholder(text.slice(1, -1));
  // "<", "[", "_", "r", "N"
  if (first !== 60 && first !== 91 && first !== 95 && first !== 114 && first !== 78) return false;
  if (text.length <= LONGEST && exact.has(text)) return true;
  return (
    text.startsWith("[Scrubbed due to ") ||
    text.startsWith("redacted by litellm") ||
    /^<(?:coroutine|async_generator|generator|function|bound method|object|__main__)\b.*>$/s.test(text) ||
    /^<[\w.]+ object at 0x[0-9a-f]+>$/.test(text) ||
    // A response of Python's HTTP clients that was printed before it was read.
    /^<\w*Response \[\d{3}[\w ]*\].*>$/.test(text)
  );
}
