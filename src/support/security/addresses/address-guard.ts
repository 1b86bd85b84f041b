import { lookup as systemLookup, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { isLinkLocal, isPrivateAddress, networksOf } from "./networks.ts";

/** An invalid security setting. The message contains the problem, its reason and the fix. */
export class SecurityError extends Error {
  override readonly name = "SecurityError";
}

/** A connection was refused, because its address is not allowed. */
export class BlockedAddressError extends Error {
  override readonly name = "BlockedAddressError";
  readonly code = "BLOCKED_ADDRESS";
}

/**
 * Restricts the addresses to which this process connects. For each connection, the host name is resolved, the resolved address is checked,
 * and the connection uses the checked address.
 */
export interface AddressGuard {
  /**
   * Checks a URL whose host is an IP address. Host names are checked by `lookup`.
   * @throws BlockedAddressError if the address is not allowed
   */
  checkUrl(url: URL): void;
  /** Look-up function for `http.request` and `net.connect`, which rejects addresses that are not allowed. */
  readonly lookup: LookupFunction;
  /**
   * Replaces the allowed private networks.
   * @throws SecurityError if a network is invalid
   */
  replace(allowedNetworks: readonly string[]): void;
}

export interface GuardOptions {
  /** Private networks whose addresses are allowed, such as `10.0.0.0/8`. */
  readonly allowedNetworks: readonly string[];
  /**
   * Whether local host names may resolve to private addresses. Even then, they may resolve to a link-local address only if
   * `allowedNetworks` contains this address.
   */
  readonly localNames?: boolean;
  readonly resolve?: typeof systemLookup;
}

/** @throws SecurityError if a network is invalid */
export function createAddressGuard(options: GuardOptions): AddressGuard {
  const { allowedNetworks, localNames = false, resolve = systemLookup } = options;
  let isAllowed = readNetworks(allowedNetworks);
  const blocked = (address: string, host: string): boolean => {
    if (isAllowed(address)) return false;
    return localNames && isLocalName(host) ? isLinkLocal(address) : isPrivateAddress(address);
  };
  return {
    replace: (networks) => {
      isAllowed = readNetworks(networks);
    },
    checkUrl: ({ hostname }) => {
      const host = bare(hostname);
      if (isIP(host) !== 0 && blocked(host, host)) throw refused(host, host);
    },
    lookup: (hostname, options, callback) => {
      resolve(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
        if (error !== null) return callback(error, "", 0);
        const addresses = found.filter(({ address }) => !blocked(address, hostname));
        const [first] = addresses;
        if (first === undefined) return callback(refused(hostname, found[0]?.address ?? "nothing"), "", 0);
        if (options.all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      });
    },
  };
}

function readNetworks(networks: readonly string[]): (address: string) => boolean {
  const isAllowed = networksOf(networks);
  if (isAllowed !== null) return isAllowed;
  throw new SecurityError("security.allowed_networks: write networks as 10.0.0.0/8, 127.0.0.1 or fd00::/8");
}

/**
 * Whether the host is an IP address, or a name that only this machine or its network can resolve. Such a name has no dot, or ends with a
 * local domain such as `.internal`.
 */
function isLocalName(host: string): boolean {
  return isIP(host) !== 0 || !host.includes(".") || /\.(localhost|local|internal|svc)$/i.test(host);
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function refused(host: string, address: string): BlockedAddressError {
  const where = host === address ? host : `${host} is ${address}, which`;
  return new BlockedAddressError(
    `${where} is not a public address. To allow connections to it, add its network to security.allowed_networks`,
  );
}
