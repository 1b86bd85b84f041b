import { createHash } from "node:crypto";
import { join } from "node:path";
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
}

/** Requests to one backend at one time. */
const AT_ONCE = 4;

interface Route {
  readonly name: string;
  readonly destination: ForwardDestination;
  readonly backend: Backend;
}

/** Sends requests on to every backend: the bytes that came, at once, whatever becomes of their evaluation. */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #routes: readonly Route[];

  readonly #lock: Lock | null;

  private constructor(options: ForwarderOptions, routes: readonly Route[], lock: Lock | null) {
    this.#options = options;
    this.#lock = lock;
    this.#routes = routes;
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

  /** Takes a request for every backend; resolves when all have kept it. A refusal says that some have not: it is to be sent again. */
  async forward(body: Uint8Array, request: ReceivedRequest): Promise<Refusal | null> {
    const offers = this.#routes.map(async ({ destination, backend }) => {
      const outgoing = await this.#outgoing(body, request, destination).catch((error: unknown) => {
        backend.dropUnfit(request.signal, error instanceof Error ? error.message : String(error));
        return null;
      });
      return outgoing === null ? null : backend.offer(outgoing);
    });
    const refusals = await Promise.all(offers);
    return refusals.find((refusal) => refusal !== null) ?? null;
  }

  /** Sends what it can in the time given; what is left waits on the disk. */
  async close(timeoutMs: number): Promise<void> {
    await Promise.all(this.#routes.map(({ backend }) => backend.close(timeoutMs)));
    await this.#lock?.release();
  }

  async #outgoing(
    body: Uint8Array,
    request: ReceivedRequest,
    destination: ForwardDestination,
  ): Promise<Outgoing> {
    const { signal, encoding, sent } = request;
    const outgoing: Outgoing = {
      signal,
      encoding,
      coding: sent?.coding ?? null,
      headers: this.#headers(request, destination),
      body: sent?.body ?? body,
    };
    return destination.protocol === "grpc" ? await fitForGrpc(outgoing, body) : outgoing;
  }

  #headers({ sent }: ReceivedRequest, { passHeaders }: ForwardDestination): Record<string, string> {
    const headers: Record<string, string> = {};
    for (const name of passHeaders) {
      const value = sent?.header(name);
      if (value !== undefined) headers[name] = value;
    }
    headers[HOP_HEADER] = hopsWith(sent?.header(HOP_HEADER), this.#options.instance);
    return headers;
  }
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
    routes.push({ name, destination, backend });
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
