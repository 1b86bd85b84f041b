import type { DocumentNode } from "../spec/document/node.ts";

const secretName = /key|token|secret|password|authorization|credential|cookie/i;

/** Values that logs and prints must never show: all header values, and whatever stands under a name that speaks of secrets. */
export function secretsOf(root: DocumentNode, replaced: ReadonlySet<DocumentNode>): string[] {
  const found = new Set<string>();
  const visit = (node: DocumentNode, secret: boolean) => {
    if (node.kind === "list") for (const item of node.items) visit(item, secret);
    else if (node.kind === "map")
      for (const [key, entry] of node.entries) visit(entry.node, secret || isSecret(key, entry.node));
    else if (secret && typeof node.value === "string" && node.value !== "") found.add(node.value);
  };
  // `key_env` names a variable, which is no secret.
  const isSecret = (key: string, node: DocumentNode) =>
    key === "headers" || (secretName.test(key) && (key !== "key_env" || replaced.has(node)));
  visit(root, false);
  return [...found];
}
