import { isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";

/**
 * Returns the text of a spec with a query added at the end of its list. Returns null if the spec cannot be parsed, or has no `queries` list
 * with items in block style.
 */
export function appendQuery(text: string, write: (indent: number) => string): string | null {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  const root = document.contents;
  if (document.errors.length > 0 || !isMap(root)) return null;
  const pair = root.items.find(({ key }) => isScalar(key) && key.value === "queries");
  const list = pair?.value;
  if (!isSeq(list) || list.flow === true || list.range == null) return null;
  const last = list.items.at(-1) as { readonly range?: readonly [number, number, number] } | undefined;
  const end = last?.range?.[1];
  if (end === undefined) return null;
  const indent = counter.linePos(list.range[0]).col - 1;
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const block = write(indent).replaceAll("\n", eol);
  // The range of an item may end before or after its last line feed.
  const before = text.slice(0, end).trimEnd();
  const after = text.slice(before.length).replace(/^[^\S\r\n]*\r?\n?/, "");
  return `${before}${eol}${eol}${block}${after}`;
}
