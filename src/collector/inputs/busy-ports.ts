import { createServer } from "node:net";
import { directFetch, readBody } from "../../support/http/send-request.ts";
import {
  type Address,
  AddressError,
  type AddressSetting,
  formatAddress,
  PROBABLE_HOLDERS,
  parseAddress,
} from "../../support/security/addresses/address.ts";

interface Wanted {
  readonly setting: AddressSetting;
  readonly address: Address;
}

/** Number that is added to a port in use, to get the port that is proposed instead. */
const FURTHER = 10_000;

/**
 * Rejects if several ports are in use, before any port is opened. Does not reject for a single port in use: opening that port later reports
 * the error.
 * @throws AddressError if several ports are in use
 */
export async function refuseBusyPorts(
  settings: Readonly<Partial<Record<AddressSetting, string>>>,
): Promise<void> {
  const wanted = Object.entries(settings).flatMap(([setting, text]): Wanted[] => {
    const address = text === undefined ? null : parseAddress(text, setting as AddressSetting);
    return address === null || address.port === 0 ? [] : [{ setting: setting as AddressSetting, address }];
  });
  const busy: Wanted[] = [];
  for (const one of wanted) if (await isBusy(one.address)) busy.push(one);
  const [first, ...others] = busy;
  if (first === undefined || others.length === 0) return;
  const holder = (await isTracejury(busy))
    ? "by another tracejury (tracejury serve or npm start)"
    : PROBABLE_HOLDERS;
  const rest = others.map(({ setting, address }) => `${formatAddress(address)} (${setting})`).join(" and ");
  const moves: string[] = [];
  for (const { setting, address } of busy) moves.push(`--set ${setting}=${await freeAddress(address)}`);
  throw new AddressError(
    first.setting,
    `${formatAddress(first.address)} is in use, and so ${others.length === 1 ? "is" : "are"} ${rest}, ${holder}: stop that process, or use other ports:\n  tracejury serve ${moves.join(" ")}`,
  );
}

/** Returns the address. If the port of the address is in use, returns it with a free port. */
export async function freeOf(setting: AddressSetting, text: string): Promise<string> {
  const address = parseAddress(text, setting);
  if (address === null || address.port === 0 || !(await isBusy(address))) return text;
  return freeAddress(address);
}

async function freeAddress({ host, port }: Address): Promise<string> {
  const proposed = { host, port: port + FURTHER };
  return formatAddress(proposed.port > 65_535 || (await isBusy(proposed)) ? { host, port: 0 } : proposed);
}

/** Maximum milliseconds to wait for an HTTP response of the process that uses a port. */
const PROBE_MS = 500;
const PROBE_BYTES = 2 ** 20;

/** Whether the process that uses one of the ports is a running collector. */
async function isTracejury(busy: readonly Wanted[]): Promise<boolean> {
  const admin = busy.find(({ setting }) => setting === "admin");
  if (admin === undefined) return false;
  try {
    const answer = await directFetch()(`http://${formatAddress(admin.address)}/api/v1/status`, {
      signal: AbortSignal.timeout(PROBE_MS),
    });
    return (await readBody(answer, PROBE_BYTES)).includes('"open_traces":');
  } catch {
    return false;
  }
}

function isBusy({ host, port }: Address): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code === "EADDRINUSE"));
    probe.listen({ host, port }, () => probe.close(() => resolve(false)));
  });
}
