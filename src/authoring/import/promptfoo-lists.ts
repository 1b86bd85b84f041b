/**
 * The texts of a comma list, as promptfoo reads `contains-any: "a, b"`: white space around them is dropped, empty ones are left out, and
 * `"…"` keeps commas, with `""` or `\"` for a quotation mark. Undefined where promptfoo refuses the list.
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

/** A field in quotation marks, up to the comma or the end. */
const quoted = /^"((?:\\["\\]|""|[^"\\]|\\(?!["\\]))*)"\s*(?=,|$)/;
const plain = /^([^,]*)/;
