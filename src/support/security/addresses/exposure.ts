import { isIP } from "node:net";
import { formatAddress, parseAddress, type AddressSetting } from "./address.ts";
import { SecurityError } from "./address-guard.ts";

export interface ListenAddress {
  readonly setting: AddressSetting;
  /** Address as the user wrote it: `host:port`, or `off`. */
  readonly address: string;
  /** Whether callers must present a token, a password or a certificate. */
  readonly guarded: boolean;
}

/**
 * Rejects addresses that other machines can reach without credentials.
 * @throws SecurityError if there is such an address and `openWithoutAuth` is false
 */
export function refuseExposure(addresses: readonly ListenAddress[], openWithoutAuth: boolean): void {
  if (openWithoutAuth) return;
  for (const { setting, address, guarded } of addresses) {
    const parsed = parseAddress(address, setting);
    if (parsed === null || guarded || isLoopback(parsed.host)) continue;
    const scope = setting === "admin" ? "read" : "ingest";
    throw new SecurityError(
      `${setting}: other machines can reach ${formatAddress(parsed)}, without credentials. ` +
        `Add a token with the scope ${scope} (security.tokens), or clients' certificates (client_ca_file); ` +
        "to open the port anyway, set security.open_without_auth to true",
    );
  }
}

/**
 * Whether only processes of this machine can reach the address. Returns false for every host name except `localhost`, because a host name
 * may resolve to any address.
 */
export function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith("127.");
  const name = host.toLowerCase();
  return name === "::1" || name === "localhost" || name.startsWith("::ffff:127.");
}
