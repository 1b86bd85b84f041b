import { lookup as systemLookup, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { isLinkLocal, isPrivateAddress, networksOf } from "./networks.ts";

/** A security setting that cannot be used: what, why, and how to fix it, in one message. */
export class SecurityError extends Error {
  override readonly name = "SecurityError";
}

/** An address outside the allowed addresses. */
export class BlockedAddressError extends Error {
  override readonly name = "BlockedAddressError";
  readonly code = "BLOCKED_ADDRESS";
}

/** Which addresses we call for others. A name is checked by what it resolves to, each time: the very address that is connected to. */
export interface AddressGuard {
  /** @throws BlockedAddressError for an address, not a name, that may not be called */
  checkUrl(url: URL): void;
  /** For `http.request` and `net.connect`. */
  readonly lookup: LookupFunction;
}

export interface GuardOptions {
  /** Networks that are allowed although they are private, such as `10.0.0.0/8`. */
  readonly allowedNetworks: readonly string[];
  /** A host name that is local by itself is intended: it may resolve to any address except a link-local one. */
  readonly localNames?: boolean;
  readonly resolve?: typeof systemLookup;
}

/** @throws SecurityError when a network is none */
export function createAddressGuard(options: GuardOptions): AddressGuard {
  const { allowedNetworks, localNames = false, resolve = systemLookup } = options;
  const isAllowed = networksOf(allowedNetworks);
  if (isAllowed === null) {
    throw new SecurityError("security.allowed_networks: write networks as 10.0.0.0/8, 127.0.0.1 or fd00::/8");
  }
  const blocked = (address: string, host: string): boolean => {
    if (isAllowed(address)) return false;
    return localNames && isLocalName(host) ? isLinkLocal(address) : isPrivateAddress(address);
  };
  return {
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

/** An address, `localhost`, or a name without a dot: what it means is decided on this machine or in its network alone. */
function isLocalName(host: string): boolean {
  return isIP(host) !== 0 || !host.includes(".") || /\.(localhost|local|internal|svc)$/i.test(host);
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function refused(host: string, address: string): BlockedAddressError {
  const where = host === address ? host : `${host} is ${address}, which`;
  return new BlockedAddressError(
    `${where} is not a public address; security.allowed_networks lists allowed private ones`,
  );
}
