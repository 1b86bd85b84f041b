import { isIP } from "node:net";

/**
 * Whether the Host header of a request is allowed. This prevents DNS rebinding attacks: a web page makes its own domain resolve to this
 * machine, and then sends requests to it. The Host header of such requests names the domain, so a name with a dot must be on the
 * allow-list. Always allowed are IP addresses, names that end with `.localhost`, and names without a dot (such as a container's): they
 * cannot be the domain of a web page.
 */
export function isAllowedHost(header: string | undefined, allowed: readonly string[]): boolean {
  if (header === undefined) return false;
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d{1,5})?$/i.exec(header);
  const host = match?.[1]?.toLowerCase().replaceAll(/^\[|\]$/g, "");
  if (host === undefined) return false;
  if (isIP(host) !== 0 || host.endsWith(".localhost")) return true;
  return !host.includes(".") || allowed.some((name) => name.toLowerCase() === host);
}
