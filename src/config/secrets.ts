import type { DocumentNode } from "../spec/document/node.ts";

const secretName = /key|token|secret|password|authorization|credential|cookie/i;

/** Values that logs and prints must never show: all header values, texts under a name that speaks of secrets, passwords in addresses. */
export function secretsOf(root: DocumentNode, replaced: ReadonlySet<DocumentNode>): string[] {
  const found = new Set<string>();
  const visit = (node: DocumentNode, secret: boolean, inHeaders: boolean) => {
    if (node.kind === "list") {
      for (const item of node.items) visit(item, secret, inHeaders);
    } else if (node.kind === "map") {
      for (const [key, entry] of node.entries) {
        const headers = inHeaders || key === "headers";
        visit(entry.node, headers || isSecret(key, entry.node), headers);
      }
    } else if (typeof node.value === "string" && node.value !== "") {
      if (secret) found.add(node.value);
      const password = /^\w+:\/\/[^/@]*?:([^/]+)@/.exec(node.value)?.[1];
      if (password !== undefined) found.add(password);
    }
  };
  const isSecret = (key: string, node: DocumentNode) => {
    if (key.endsWith("_file")) return false;
    // `key_env` names a variable, which is no secret; what has been put in its place may be one.
    return secretName.test(key) && (!key.endsWith("_env") || replaced.has(node));
  };
  visit(root, false, false);
  return [...found];
}
