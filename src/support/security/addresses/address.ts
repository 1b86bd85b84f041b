/** Address to listen on. For port 0, the operating system chooses a free port. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Configuration keys of the addresses on which Tracejury listens. */
export type AddressSetting = "receive.http" | "receive.grpc" | "admin" | "receivers.models";

/** Listening on an address is not possible. The message contains the reason, and the setting to change. */
export class AddressError extends Error {
  override readonly name = "AddressError";
  readonly setting: AddressSetting;
  /** The error message, without the part that names the setting. */
  readonly problem: string;

  constructor(setting: AddressSetting, problem: string) {
    super(`${setting}: ${problem}`);
    this.setting = setting;
    this.problem = problem;
  }
}

/**
 * Parses `host:port` or `[v6]:port`. For a port without a host, the host is the loopback address. Returns null for `off`. Throws an
 * `AddressError` for any other text.
 */
export function parseAddress(text: string, setting: AddressSetting): Address | null {
  if (text === "off") return null;
  const full = /^\d{1,5}$/.test(text) ? `127.0.0.1:${text}` : text;
  const [, v6, name, digits] = /^(?:\[([^\]]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(full) ?? [];
  const host = v6 ?? name;
  const port = Number(digits);
  if (host === undefined)
    throw new AddressError(setting, `"${text}" is not an address; write host:port, [v6]:port, or off`);
  if (port > 65_535) throw new AddressError(setting, `"${text}" has port ${port}; the largest port is 65535`);
  return { host, port };
}

export function formatAddress(address: Address): string {
  return address.host.includes(":") ? `[${address.host}]:${address.port}` : `${address.host}:${address.port}`;
}

export function addressError(
  setting: AddressSetting,
  address: Address,
  error: NodeJS.ErrnoException,
): AddressError {
  const where = formatAddress(address);
  const free = formatAddress({ host: address.host, port: 0 });
  const move = `Set ${setting} to another address in the config, to ${free} for any free port (--set ${setting}=${free}), or to off.`;
  return new AddressError(setting, `${reason(where, error)}. ${move}`);
}

/** Text for messages about a port in use: the programs that probably use it. */
export const PROBABLE_HOLDERS = "probably by another tracejury, an OpenTelemetry Collector or Jaeger";

function reason(where: string, error: NodeJS.ErrnoException): string {
  if (error.code === "EADDRINUSE") {
    return `${where} is in use, ${PROBABLE_HOLDERS}: stop the other process, or choose another port`;
  }
  if (error.code === "EACCES") return `no permission to listen on ${where}`;
  if (error.code === "EADDRNOTAVAIL") return `${where} is not an address of this machine`;
  return `cannot listen on ${where}: ${error.message}`;
}
