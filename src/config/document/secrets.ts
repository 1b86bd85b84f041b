import type { DocumentNode } from "../../spec/document/node.ts";

const secretName = /key|token|secret|password|authorization|credential|cookie/i;
const shortestSecretPath = 16;

/**
 * Returns the values that must not be printed: header values, values of keys such as `password`, passwords in URLs, and webhook paths,
 * which often contain keys. Skips dialects, because names such as `input_tokens` are no secrets.
 */
export function secretsOf(root: DocumentNode, replaced: ReadonlySet<DocumentNode>): string[] {
  const found = new Set<string>();
  const visit = (node: DocumentNode, secret: boolean, inHeaders: boolean, inWebhook: boolean) => {
    if (node.kind === "list") {
      for (const item of node.items) visit(item, secret, inHeaders, inWebhook);
    } else if (node.kind === "map") {
      for (const [key, entry] of node.entries) {
        if (node === root && key === "dialects") continue;
        const headers = inHeaders || key === "headers";
        const webhook = inWebhook || key === "webhook";
        visit(entry.node, headers || isSecret(key, entry.node), headers, webhook);
      }
    } else if (typeof node.value === "string" && node.value !== "") {
      if (secret) found.add(node.value);
      const path = inWebhook ? secretPath(node.value) : undefined;
      if (path !== undefined) found.add(path);
      const password = /^\w+:\/\/[^/@]*?:([^/]+)@/.exec(node.value)?.[1];
      if (password !== undefined) found.add(password);
    }
  };
  const isSecret = (key: string, node: DocumentNode) => {
    if (key.endsWith("_file")) return false;
    // `key_env` names a variable and is no secret, unless the value was substituted.
    return secretName.test(key) && (!key.endsWith("_env") || replaced.has(node));
  };
  visit(root, false, false, false);
  return [...found];
}

/** Returns the path of a URL if the path is long enough to contain a key; otherwise undefined. */
function secretPath(url: string): string | undefined {
  const path = /^https?:\/\/[^/?#]+([/?].*)$/i.exec(url)?.[1];
  return path !== undefined && path.length >= shortestSecretPath ? path : undefined;
}
