import { EndpointError, refuseOwnListener } from "../otlp/endpoint.ts";
import { acquireLock, type Lock } from "../../journal/disk/lock.ts";
import type { ReceivedRequest, Refusal } from "../../receive/ports.ts";
import type { BackendQueue } from "./backend/backend-queue.ts";
import type { EventsOf } from "./tail/held-bodies.ts";
import { TailBuffer } from "./tail/tail-buffer.ts";
import { type HeaderOf, TailForwarder, type TailRoute } from "./tail/tail-forwarder.ts";
import { HOP_HEADER, hopsWith, isLoop } from "./loop-guard.ts";
import { offerFitting } from "./offer-fitting.ts";
import type { Outgoing } from "./outgoing.ts";
import { JournalBackedQueue, type JournalBackedRoute } from "./queue/journal-backed-queue.ts";
import { keyOf, openRoutes, type Route, type RouteOptions } from "./route.ts";
import type { ForwardDestination } from "./settings.ts";
import { messageOf } from "../../support/structures/error-message.ts";

export interface ForwarderOptions extends RouteOptions {
  /** Id of this process in the header that detects loops. */
  readonly instance: string;
  /**
   * Addresses of this process's listeners as `host:port`. A backend with one of these addresses is an error.
   */
  readonly listeners: readonly string[];
  /** Returns the verdicts as events for the judged root span; absent if verdicts are not added. */
  readonly eventsOf?: EventsOf;
}

/**
 * Forwards received requests unchanged to every backend. A request does not wait for evaluation, unless the
 * backend has tail-based forwarding.
 */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #routes: readonly Route[];

  readonly #lock: Lock | null;
  /** Holds traces for backends with tail-based forwarding; null if no backend has tail-based forwarding. */
  readonly tailForwarder: TailForwarder | null;
  /** Tracks requests that queues reference in the journal; null if queues are in memory. */
  readonly journalBacked: JournalBackedQueue | null;

  private constructor(options: ForwarderOptions, routes: readonly Route[], lock: Lock | null) {
    this.#options = options;
    this.#lock = lock;
    this.#routes = routes;
    const held = routes.filter(({ destination }) => destination.hold !== null);
    this.tailForwarder =
      held.length === 0 ? null : new TailForwarder(held.flatMap((route) => this.#holdingRoute(route)));
    const journalBacked = routes.filter(({ destination }) => destination.hold === null);
    this.journalBacked =
      options.durability === "memory"
        ? null
        : new JournalBackedQueue(journalBacked.map((route) => this.#journalBackedRoute(route)));
  }

  /**
   * Opens the queues of all backends. Rejects with `EndpointError` if a backend's address is invalid, used
   * twice, or a listener of this process. Rejects with `JournalOpenError` if another process uses the
   * queues, or if a folder cannot be read.
   */
  static async open(options: ForwarderOptions): Promise<Forwarder> {
    for (const [index, { endpoint }] of options.destinations.entries()) {
      refuseOwnListener(endpoint, options.listeners, `forward[${index}].endpoint`);
    }
    refuseDuplicates(options.destinations);
    const lock = options.durability === "memory" ? null : await acquireLock(options.dir);
    try {
      return new Forwarder(options, await openRoutes(options, lock), lock);
    } catch (error) {
      await lock?.release();
      throw error;
    }
  }

  /** Backends with their host names, for metrics. */
  get backends(): readonly { readonly name: string; readonly backend: BackendQueue }[] {
    return this.#routes;
  }

  /** Memory of all queues together, in bytes. */
  get heldBytes(): number {
    return this.#routes.reduce((sum, { backend }) => sum + backend.heldBytes, 0);
  }

  /** Returns why a request cannot be accepted; null if the queue of every backend has room. */
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
   * Accepts a request for every backend, without the parts that are held. Resolves to null when all
   * backends' queues have stored the request. If a queue refuses the request, resolves to the refusal, and
   * the sender must retry.
   */
  async forward(body: Uint8Array, request: ReceivedRequest): Promise<Refusal | null> {
    const offers = this.#routes.flatMap((route) => {
      const outgoing = this.#outgoing(body, request, route);
      if (outgoing === null) return [];
      const copy = this.journalBacked?.copyFor(request, route.key, outgoing) ?? null;
      return [
        copy === null ? offerFitting(route, outgoing, body) : route.backend.offerStored(outgoing, copy),
      ];
    });
    const refusals = await Promise.all(offers);
    return refusals.find((refusal) => refusal !== null) ?? null;
  }

  /** Sends requests until the time-out. With disk queues, requests that remain stay on disk. */
  async close(timeoutMs: number): Promise<void> {
    await Promise.all(this.#routes.map(({ backend }) => backend.close(timeoutMs)));
    await this.#lock?.release();
  }

  /** Returns the part of a request to forward at once; null if the whole request is held. */
  #outgoing(body: Uint8Array, request: ReceivedRequest, { key, destination }: Route): Outgoing | null {
    const { signal, encoding, sent } = request;
    const rest = destination.hold === null ? "whole" : (this.tailForwarder?.restOf(request, key) ?? null);
    if (rest === null) return null;
    const headers = this.#headers((name) => sent?.header(name), destination);
    return rest === "whole"
      ? { signal, encoding, headers, coding: sent?.coding ?? null, body: sent?.body ?? body }
      : { signal, encoding, headers, coding: null, body: rest };
  }

  #holdingRoute(route: Route): TailRoute[] {
    const { name, key, formerKey, destination, backend } = route;
    const { hold } = destination;
    if (hold === null) return [];
    return [
      {
        name,
        key,
        formerKey,
        hold: new TailBuffer(hold),
        eventsOf: hold.events ? (this.#options.eventsOf ?? null) : null,
        headerNames: headerNames(destination),
        headersFor: (header) => this.#headers(header, destination),
        offer: (outgoing) => offerFitting(route, outgoing, null),
        unfit: ({ signal }, error) => backend.dropUnfit(signal, messageOf(error)),
      },
    ];
  }

  #journalBackedRoute({ key, formerKey, destination, backend }: Route): JournalBackedRoute {
    return {
      key,
      formerKey,
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

/**
 * Rejects two backends with the same address, because the address identifies a queue.
 * @throws EndpointError if an address is used twice
 */
function refuseDuplicates(destinations: readonly ForwardDestination[]): void {
  const keys = destinations.map(keyOf);
  for (const [index, key] of keys.entries()) {
    const first = keys.indexOf(key);
    if (first === index) continue;
    throw new EndpointError(
      `forward[${index}].endpoint: "${destinations[index]?.endpoint}" is the backend of forward[${first}]; everything would be sent to it ` +
        `twice. Leave one of them out.`,
    );
  }
}

/** Returns the lower-case names of headers that are forwarded from the sender. */
function headerNames({ passHeaders }: ForwardDestination): readonly string[] {
  return [...passHeaders, HOP_HEADER];
}
