import { BlockList, isIP, isIPv4 } from "node:net";

const v4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const;
const v6 = [
  ["::", 96],
  ["100::", 64],
  ["2001::", 32],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const;

const privateNetworks = new BlockList();
for (const [network, bits] of v4) privateNetworks.addSubnet(network, bits, "ipv4");
for (const [network, bits] of v6) privateNetworks.addSubnet(network, bits, "ipv6");

const linkLocal = new BlockList();
linkLocal.addSubnet("169.254.0.0", 16, "ipv4");
linkLocal.addSubnet("fe80::", 10, "ipv6");
/** IPv6 address of AWS's metadata service, which returns credentials. */
linkLocal.addAddress("fd00:ec2::254", "ipv6");

/** Whether an IP address is loopback, private, link-local or otherwise not on the public internet. */
export function isPrivateAddress(address: string): boolean {
  return isIn(privateNetworks, address);
}

/** Whether an IP address is link-local. Metadata services of clouds, which return credentials, have link-local addresses. */
export function isLinkLocal(address: string): boolean {
  return isIn(linkLocal, address);
}

/**
 * Parses networks such as `10.0.0.0/8`, or single addresses, into a function that tests an address. Returns
 * null if a network or address is invalid.
 */
export function networksOf(written: readonly string[]): ((address: string) => boolean) | null {
  const list = new BlockList();
  for (const one of written) {
    const [network = "", bits] = one.split("/");
    const family = isIP(network);
    const most = family === 4 ? 32 : 128;
    const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (family === 0 || !(length <= most)) return null;
    list.addSubnet(network, length, family === 4 ? "ipv4" : "ipv6");
  }
  return (address) => isIn(list, address);
}

function isIn(list: BlockList, address: string): boolean {
  const plain = embedded(address);
  return list.check(plain, isIPv4(plain) ? "ipv4" : "ipv6");
}

/** Returns the IPv4 address that is embedded in an IPv6 address (mapped, NAT64 or 6to4). Any other address is returned unchanged. */
function embedded(address: string): string {
  const bare = address.replace(/%.*$/, "");
  if (isIP(bare) !== 6) return bare;
  const groups = groupsOf(bare);
  const v4From = (at: number): string => {
    const [high = 0, low = 0] = groups.slice(at, at + 2);
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  };
  const startsWith = (...wanted: number[]): boolean => wanted.every((group, at) => groups[at] === group);
  if (startsWith(0, 0, 0, 0, 0, 0xffff)) return v4From(6);
  if (startsWith(0x64, 0xff9b, 0, 0, 0, 0)) return v4From(6);
  if (startsWith(0x2002)) return v4From(1);
  return bare;
}

/** Returns the eight 16-bit groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const { hostname } = new URL(`http://[${address}]/`);
  const [head = "", tail] = hostname.slice(1, -1).split("::");
  const read = (part: string): number[] =>
    part === "" ? [] : part.split(":").map((group) => parseInt(group, 16));
  const before = read(head);
  const after = read(tail ?? "");
  return tail === undefined
    ? before
    : [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}
