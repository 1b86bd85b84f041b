import { type DocumentNode, mapScalars, type ScalarNode } from "../../spec/document/node.ts";

/** The same document with these text values read as YAML reads plain ones: `true` and `12` are no texts. */
export function coerceText(root: DocumentNode, nodes: ReadonlySet<DocumentNode>): DocumentNode {
  return mapScalars(root, (node) => (nodes.has(node) ? { ...node, value: plainValue(node) } : node));
}

function plainValue({ text, value }: ScalarNode): ScalarNode["value"] {
  if (text === "true" || text === "false") return text === "true";
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : value;
}
