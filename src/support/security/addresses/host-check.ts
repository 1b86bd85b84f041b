import { isIP } from "node:net";

/**
 * Whether a request may use this host name. A page that rebinds its own domain to this address still sends
 * its domain. Names with a dot are therefore refused unless they are allowed. Addresses, `localhost` and
 * names without a dot (such as a container's) cannot be the domain of a web page.
 */
export function isAllowedHost(header: string | undefined, allowed: readonly string[]): boolean {
  if (header === undefined) return false;
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d{1,5})?$/i.exec(header);
  const host = match?.[1]?.toLowerCase().replaceAll(/^\[|\]$/g, "");
  if (host === undefined) return false;
  if (isIP(host) !== 0 || host.endsWith(".localhost")) return true;
  return !host.includes(".") || allowed.some((name) => name.toLowerCase() === host);
}
