import { createHash } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { refuseOwnListener } from "../export/otlp/endpoint.ts";
import { acquireLock, type Lock } from "../journal/lock.ts";
import { nodeDisk } from "../journal/node-disk.ts";
import type { Accept, Acceptance, ReceivedRequest, Refusal, Signal } from "../receive/ports.ts";
import { Backend, type BackendEvents } from "./backend.ts";
import type { Sender } from "./delivery.ts";
import { DiskStore } from "./disk-store.ts";
import { createGrpcSender } from "./grpc-sender.ts";
import { createHttpSender, type SenderOptions } from "./http-sender.ts";
import { HOP_HEADER, hopsWith, isLoop } from "./loop-guard.ts";
import type { Outgoing } from "./outgoing.ts";
import type { EventsOf } from "./held-bodies.ts";
import { Hold } from "./hold.ts";
import { type HeaderOf, Holding, type HoldingRoute } from "./holding.ts";
import { Resting, type RestingRoute } from "./resting.ts";
import type { ForwardDestination, ForwardDurability } from "./settings.ts";
import { type ForwardStore, memoryStore } from "./store.ts";
import { fitForGrpc } from "./transcode.ts";

/** Events with the host of the backend that they are about. */
export interface ForwardEvents {
  failing(destination: string, error: string): void;
  working(destination: string, failures: number): void;
  dropped(destination: string, signal: Signal | null, reason: string, error: string): void;
  rejected(destination: string, items: number, message: string): void;
  /** A queue's notes could not be written. */
  storeFailed(destination: string, error: unknown): void;
}

export interface ForwarderOptions {
  readonly destinations: readonly ForwardDestination[];
  /** Folder for the queues. */
  readonly dir: string;
  readonly durability: ForwardDurability;
  /** What marks requests that this process has sent on. */
  readonly instance: string;
  readonly version: string;
  /** Addresses we listen on, as `host:port`; no backend may be one of them. */
  readonly listeners: readonly string[];
  /** Bytes that a queue may take in memory. */
  readonly memoryBytes: number;
  readonly now: () => number;
  readonly random: () => number;
  readonly events: ForwardEvents;
  /** What verdicts say as events of the root they are about; nothing is added when absent. */
  readonly eventsOf?: EventsOf;
}

/** Requests to one backend at one time. */
const AT_ONCE = 4;

interface Route {
  readonly name: string;
  /** Tells it from the others of the same name. */
  readonly key: string;
  readonly destination: ForwardDestination;
  readonly backend: Backend;
}

/** Sends requests on to every backend: the bytes that came, at once, whatever becomes of their evaluation. */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #routes: readonly Route[];

  readonly #lock: Lock | null;
  /** Null when every backend gets everything at once. */
  readonly holding: Holding | null;
  /** Null when the queues are not kept on the disk. */
  readonly resting: Resting | null;

  private constructor(options: ForwarderOptions, routes: readonly Route[], lock: Lock | null) {
    this.#options = options;
    this.#lock = lock;
    this.#routes = routes;
    const held = routes.filter(({ destination }) => destination.hold !== null);
    this.holding = held.length === 0 ? null : new Holding(held.flatMap((route) => this.#holdingRoute(route)));
    const resting = routes.filter(({ destination }) => destination.hold === null);
    this.resting =
      options.durability === "memory" ? null : new Resting(resting.map((route) => this.#restingRoute(route)));
  }

  /**
   * Rejects with `EndpointError` for a backend that is no address, or one of our own listeners, with `JournalOpenError` when another process
   * has the queues, and when a queue's folder cannot be read.
   */
  static async open(options: ForwarderOptions): Promise<Forwarder> {
    for (const [index, { endpoint }] of options.destinations.entries()) {
      refuseOwnListener(endpoint, options.listeners, `forward[${index}].endpoint`);
    }
    const lock = options.durability === "memory" ? null : await acquireLock(options.dir);
    try {
      return new Forwarder(options, await openRoutes(options), lock);
    } catch (error) {
      await lock?.release();
      throw error;
    }
  }

  /** The backends with their host names, for counting. */
  get backends(): readonly { readonly name: string; readonly backend: Backend }[] {
    return this.#routes;
  }

  /** Bytes that all queues take in memory. */
  get heldBytes(): number {
    return this.#routes.reduce((sum, { backend }) => sum + backend.heldBytes, 0);
  }

  /** Why nothing can be taken now; null when every backend's queue has room. */
  refusal(): Refusal | null {
    for (const { backend } of this.#routes) {
      const refusal = backend.refusal();
      if (refusal !== null) return refusal;
    }
    return null;
  }

  isLoop(request: ReceivedRequest): boolean {
    return isLoop(request.sent?.header(HOP_HEADER), this.#options.instance);
  }

  /**
   * Takes a request for every backend, but for what of it is held; resolves when all have kept it. A refusal says that some have not: it is
   * to be sent again.
   */
  async forward(body: Uint8Array, request: ReceivedRequest): Promise<Refusal | null> {
    const offers = this.#routes.flatMap((route) => {
      const outgoing = this.#outgoing(body, request, route);
      if (outgoing === null) return [];
      const copy = this.resting?.copyFor(request, route.key, outgoing) ?? null;
      return [copy === null ? offerFitting(route, outgoing, body) : route.backend.rest(outgoing, copy)];
    });
    const refusals = await Promise.all(offers);
    return refusals.find((refusal) => refusal !== null) ?? null;
  }

  /** Sends what it can in the time given; what is left waits on the disk. */
  async close(timeoutMs: number): Promise<void> {
    await Promise.all(this.#routes.map(({ backend }) => backend.close(timeoutMs)));
    await this.#lock?.release();
  }

  /** What of a request goes on at once; null for nothing. */
  #outgoing(body: Uint8Array, request: ReceivedRequest, { key, destination }: Route): Outgoing | null {
    const { signal, encoding, sent } = request;
    const rest = destination.hold === null ? "whole" : (this.holding?.restOf(request, key) ?? null);
    if (rest === null) return null;
    const headers = this.#headers((name) => sent?.header(name), destination);
    return rest === "whole"
      ? { signal, encoding, headers, coding: sent?.coding ?? null, body: sent?.body ?? body }
      : { signal, encoding, headers, coding: null, body: rest };
  }

  #holdingRoute(route: Route): HoldingRoute[] {
    const { name, key, destination, backend } = route;
    const { hold } = destination;
    if (hold === null) return [];
    return [
      {
        name,
        key,
        hold: new Hold(hold),
        eventsOf: hold.events ? (this.#options.eventsOf ?? null) : null,
        headerNames: headerNames(destination),
        headersFor: (header) => this.#headers(header, destination),
        offer: (outgoing) => offerFitting(route, outgoing, null),
        unfit: ({ signal }, error) => backend.dropUnfit(signal, messageOf(error)),
      },
    ];
  }

  #restingRoute({ key, destination, backend }: Route): RestingRoute {
    return {
      key,
      headerNames: headerNames(destination),
      takes: ({ encoding }) => destination.protocol === "http" || encoding === "protobuf",
      isWell: () => backend.isWell,
      resume: ({ signal, encoding, sent }, body, copyOf) => {
        const headers = this.#headers((name) => sent?.headers[name], destination);
        const outgoing = { signal, encoding, headers, coding: null, body };
        backend.resume(outgoing, copyOf(outgoing));
      },
    };
  }

  #headers(header: HeaderOf, { passHeaders }: ForwardDestination): Record<string, string> {
    const headers: Record<string, string> = {};
    for (const name of passHeaders) {
      const value = header(name);
      if (value !== undefined) headers[name] = value;
    }
    headers[HOP_HEADER] = hopsWith(header(HOP_HEADER), this.#options.instance);
    return headers;
  }
}

/** Headers of a sender that are looked at, by lower-case name. */
function headerNames({ passHeaders }: ForwardDestination): readonly string[] {
  return [...passHeaders, HOP_HEADER];
}

/** Offers a request in a form that the backend takes. One that has none is counted, and is done. */
async function offerFitting(
  { destination, backend }: Route,
  outgoing: Outgoing,
  inflated: Uint8Array | null,
): Promise<Refusal | null> {
  let fitting = outgoing;
  if (destination.protocol === "grpc") {
    try {
      const isPlain = outgoing.coding === null;
      fitting = await fitForGrpc(outgoing, isPlain ? outgoing.body : (inflated ?? (await plain(outgoing))));
    } catch (error) {
      backend.dropUnfit(outgoing.signal, messageOf(error));
      return null;
    }
  }
  return backend.offer(fitting);
}

async function plain({ coding, body }: Outgoing): Promise<Uint8Array> {
  return coding === "gzip" ? promisify(gunzip)(body) : body;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * The same `accept`, whose requests are sent on as well once it has taken them. Nothing is withheld from the backends: a span that cannot be
 * judged goes on all the same, so it is not reported as rejected.
 */
export function acceptAndForward(forwarder: Forwarder, accept: Accept, onLoop: () => void): Accept {
  return async (body, request) => {
    if (forwarder.isLoop(request)) {
      onLoop();
      return {
        kind: "accepted",
        rejected: 0,
        message: "this request came back from a backend; it was taken before",
      };
    }
    const full = forwarder.refusal();
    if (full !== null) return full;
    const acceptance = await accept(body, request);
    if (acceptance.kind !== "accepted") return acceptance;
    return (await forwarder.forward(body, request)) ?? unwithheld(acceptance);
  };
}

function unwithheld(acceptance: Acceptance & { kind: "accepted" }): Acceptance {
  const { rejected, message } = acceptance;
  if (rejected === 0) return acceptance;
  return { kind: "accepted", rejected: 0, message: `sent on, but ${rejected} not evaluated: ${message}` };
}

async function openRoutes(options: ForwarderOptions): Promise<Route[]> {
  const { now, random } = options;
  const routes: Route[] = [];
  for (const [index, destination] of options.destinations.entries()) {
    const name = new URL(destination.endpoint).host;
    const sender = senderFor(destination, `forward[${index}]`, options.version);
    const store = await storeFor(destination, name, options);
    const { maxElapsedMs } = destination;
    const events = eventsFor(name, options.events);
    const backend = new Backend({ sender, store, atOnce: AT_ONCE, maxElapsedMs, now, random, events });
    routes.push({ name, key: `${destination.protocol} ${destination.endpoint}`, destination, backend });
  }
  return routes;
}

function senderFor(destination: ForwardDestination, key: string, version: string): Sender {
  const { endpoint, headers, timeoutMs, protocol } = destination;
  const options: SenderOptions = {
    endpoint,
    key,
    headers,
    timeoutMs,
    userAgent: `tracejury/${version}`,
    atOnce: AT_ONCE,
  };
  return protocol === "grpc" ? createGrpcSender(options) : createHttpSender(options);
}

/** The queue of a backend is found again by its address. */
function storeFor(
  destination: ForwardDestination,
  name: string,
  options: ForwarderOptions,
): Promise<ForwardStore> {
  const { queueBytes, protocol, endpoint } = destination;
  const { durability, memoryBytes, random, events } = options;
  if (durability === "memory") return Promise.resolve(memoryStore(Math.min(queueBytes, memoryBytes)));
  const hash = createHash("sha256").update(`${protocol} ${endpoint}`).digest("hex").slice(0, 8);
  const folder = `${name.replaceAll(/[^\w.-]/g, "_").slice(0, 80)}-${hash}`;
  return DiskStore.open({
    disk: nodeDisk(join(options.dir, folder)),
    sync: durability === "fsync",
    budgetBytes: queueBytes,
    cacheBytes: memoryBytes,
    salt: () => Math.floor(random() * 2 ** 32),
    onError: (error) => events.storeFailed(name, error),
  });
}

function eventsFor(name: string, events: ForwardEvents): BackendEvents {
  return {
    failing: (error) => events.failing(name, error),
    working: (failures) => events.working(name, failures),
    dropped: (signal, reason, error) => events.dropped(name, signal, reason, error),
    rejected: (items, message) => events.rejected(name, items, message),
  };
}
