import {
  listNode,
  mapNode,
  type DocumentNode,
  type MapEntry,
  type ScalarNode,
} from "../../spec/document/node.ts";

/** The same document with these text values read as YAML reads plain ones: `true` and `12` are no texts. */
export function coerceText(root: DocumentNode, nodes: ReadonlySet<DocumentNode>): DocumentNode {
  const visit = (node: DocumentNode): DocumentNode => {
    if (node.kind === "list") return listNode(node.at, node.items.map(visit));
    if (node.kind === "map") {
      const entries = [...node.entries].map(([key, entry]): [string, MapEntry] => [
        key,
        { ...entry, node: visit(entry.node) },
      ]);
      return mapNode(node.at, new Map(entries));
    }
    return nodes.has(node) ? { ...node, value: plainValue(node) } : node;
  };
  return visit(root);
}

function plainValue({ text, value }: ScalarNode): ScalarNode["value"] {
  if (text === "true" || text === "false") return text === "true";
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : value;
}
