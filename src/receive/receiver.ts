import { isLoopback } from "../support/security/addresses/exposure.ts";
import { isAllowedHost } from "../support/security/addresses/host-check.ts";
import {
  type Address,
  formatAddress,
  parseAddress,
  type AddressSetting,
} from "../support/security/addresses/address.ts";
import type { ReceiveContext } from "./connection/context.ts";
import { createHttp1, type Connections } from "./http/http1.ts";
import { Port } from "./http/port.ts";
import type {
  Accept,
  Admission,
  Authorize,
  CrossOrigin,
  ReceiverEvents,
  ReceiverLog,
  ReceiverTls,
} from "./ports.ts";
import { UNLIMITED } from "./intake/reservation.ts";
import { DEFAULT_TIMEOUTS, type Timeouts } from "./connection/pace.ts";
import { Turns } from "./connection/turns.ts";
import { Watch } from "./connection/watch.ts";

export interface ReceiverOptions {
  /** Address for OTLP/HTTP, as `host:port`. With port 0, a free port is used; `off` disables the listener. */
  readonly http: string;
  /** Address for OTLP/gRPC, in the same format. Both addresses (`http` and `grpc`) accept both protocols. */
  readonly grpc: string;
  readonly accept: Accept;
  readonly log: ReceiverLog;
  /** Largest request in bytes, both compressed and decompressed. */
  readonly maxBody?: number;
  readonly admission?: Admission;
  readonly events?: ReceiverEvents;
  /** Checks the credentials of a request. Without this function, every sender is accepted. */
  readonly authorize?: Authorize;
  readonly crossOrigin?: CrossOrigin | null;
  /**
   * Returns host names that requests to a loopback port may use, evaluated for each request. In addition, IP addresses, names without a
   * dot, and names that end in `.localhost` are always allowed.
   */
  readonly allowedHosts?: () => readonly string[];
  /** TLS settings of both ports. If they are present, both ports accept only TLS. */
  readonly tls?: ReceiverTls | null;
  readonly timeouts?: Partial<Timeouts>;
}

export interface Receiver {
  /** Addresses on which the receiver listens, as `host:port`; null if disabled. */
  readonly listening: { readonly http: string | null; readonly grpc: string | null };
  /** Sets the certificate for new connections. Open connections keep the previous certificate. */
  renewTls(tls: ReceiverTls): void;
  /**
   * Stops accepting requests, answers requests in flight, and closes the remaining connections after `graceMs`. Resolves when all
   * connections are closed; `accept` is not called afterwards.
   */
  close(graceMs: number): Promise<void>;
}

/** Default body limit, as the OTLP specification recommends. */
export const DEFAULT_MAX_BODY = 64 << 20;
const NO_EVENTS: ReceiverEvents = { request: () => undefined, connectionCut: () => undefined };

/** Starts the OTLP receiver. Rejects with `AddressError` if an address is malformed or not available. */
export async function createReceiver(options: ReceiverOptions): Promise<Receiver> {
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const shared: SharedContext = {
    accept: options.accept,
    admission: options.admission ?? UNLIMITED,
    events: options.events ?? NO_EVENTS,
    log: options.log,
    authorize: options.authorize ?? (() => "allowed"),
    get crossOrigin() {
      return options.crossOrigin ?? null;
    },
    maxBody: options.maxBody ?? DEFAULT_MAX_BODY,
    timeouts,
    watch: new Watch(timeouts.sweepMs),
    turns: new Turns(),
  };
  const listeners = new Listeners(shared, options.allowedHosts ?? (() => []), options.tls ?? null);
  try {
    const http = await listeners.open(options.http, "receive.http");
    const grpc = await listeners.open(options.grpc, "receive.grpc");
    return {
      listening: { http, grpc },
      renewTls: (tls) => listeners.renewTls(tls),
      close: (graceMs) => listeners.close(graceMs),
    };
  } catch (error) {
    await listeners.close(0);
    throw error;
  }
}

type SharedContext = Omit<ReceiveContext, "admitsHost" | "draining">;

/** The open ports and their connections. */
class Listeners {
  readonly #shared: SharedContext;
  readonly #allowedHosts: () => readonly string[];
  readonly #connections: Connections = new Map();
  readonly #ports: Port[] = [];
  #tls: ReceiverTls | null;
  #draining = false;

  constructor(shared: SharedContext, allowedHosts: () => readonly string[], tls: ReceiverTls | null) {
    this.#shared = shared;
    this.#allowedHosts = allowedHosts;
    this.#tls = tls;
  }

  renewTls(tls: ReceiverTls): void {
    this.#tls = tls;
    for (const port of this.#ports) port.renewTls(tls);
  }

  async open(text: string, setting: AddressSetting): Promise<string | null> {
    const address = parseAddress(text, setting);
    if (address === null) return null;
    const context = this.#contextOf(address);
    const http1 = createHttp1(context, this.#connections);
    const port = new Port(context, http1, this.#connections, this.#tls);
    const real = await port.listen(address, setting);
    this.#ports.push(port);
    return formatAddress(real);
  }

  async close(graceMs: number): Promise<void> {
    this.#draining = true;
    const closed = Promise.all(this.#ports.map((port) => port.close()));
    for (const connection of this.#connections.values()) connection.drain();
    const timer = setTimeout(() => this.#cutAll(), graceMs);
    await closed;
    clearTimeout(timer);
    this.#shared.watch.stop();
  }

  /** Host names are checked only on loopback ports. There, an unknown host name may be a web page's DNS rebinding attack. */
  #contextOf({ host }: Address): ReceiveContext {
    const allowedHosts = this.#allowedHosts;
    const shared = this.#shared;
    const isDraining = (): boolean => this.#draining;
    return {
      ...shared,
      get crossOrigin() {
        return shared.crossOrigin;
      },
      admitsHost: isLoopback(host) ? (name) => isAllowedHost(name, allowedHosts()) : () => true,
      get draining() {
        return isDraining();
      },
    };
  }

  #cutAll(): void {
    for (const connection of this.#connections.values()) connection.cut("shutdown");
  }
}
