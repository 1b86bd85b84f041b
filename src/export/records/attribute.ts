/** A `number` is exported as a double, a `bigint` as an int. */
export type AttributeValue = string | boolean | number | bigint;
export type Attributes = ReadonlyMap<string, AttributeValue>;

const longestText = 4096;

/** Truncates a long text, which may be untrusted input, and marks the truncation with an ellipsis. */
export function bounded(text: string, longest = longestText): string {
  if (text.length <= longest) return text;
  const end = longest - 1;
  return `${text.slice(0, isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end)}…`;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
