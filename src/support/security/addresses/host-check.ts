import { isIP } from "node:net";

/**
 * Whether a request may name this host. A page that rebinds its own domain to our address still sends that domain, so names with a dot
 * are refused unless they are allowed; addresses, `localhost` and bare names (of a container, say) belong to no web page.
 */
export function isAllowedHost(header: string | undefined, allowed: readonly string[]): boolean {
  if (header === undefined) return false;
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d{1,5})?$/i.exec(header);
  const host = match?.[1]?.toLowerCase().replaceAll(/^\[|\]$/g, "");
  if (host === undefined) return false;
  if (isIP(host) !== 0 || host.endsWith(".localhost")) return true;
  return !host.includes(".") || allowed.some((name) => name.toLowerCase() === host);
}
