/**
 * Splits a comma-separated list as promptfoo does, such as `contains-any: "a, b"`. Surrounding white space
 * and empty texts are removed. A text in `"…"` may contain commas, and quotation marks written as `""` or
 * `\"`. Returns undefined if promptfoo would reject the list.
 */
export function commaList(text: string): readonly string[] | undefined {
  const list: string[] = [];
  let rest = text.replace(/^[\s,]+/, "");
  while (rest !== "") {
    const field = rest.startsWith('"') ? quoted.exec(rest) : plain.exec(rest);
    if (field === null) return undefined;
    const [whole, inner = ""] = field;
    list.push(
      rest.startsWith('"')
        ? inner.replace(/\\(["\\])|""/g, (_, escape: string | undefined) => escape ?? '"')
        : inner.trim(),
    );
    rest = rest.slice(whole.length).replace(/^[\s,]+/, "");
  }
  return list;
}

/** Matches a quoted text, followed by a comma or the end. */
const quoted = /^"((?:\\["\\]|""|[^"\\]|\\(?!["\\]))*)"\s*(?=,|$)/;
const plain = /^([^,]*)/;
