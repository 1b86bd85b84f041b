import type protobuf from "protobufjs";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { fileURLToPath } from "node:url";
import { EndpointError, refuseOwnListener, shownAddress } from "../otlp/endpoint.ts";
import { acquireLock, type Lock } from "../../journal/disk/lock.ts";
import type { ReceivedRequest, Refusal } from "../../receive/ports.ts";
import type { BackendQueue } from "./backend/backend-queue.ts";
import type { EventsOf } from "./tail/held-bodies.ts";
import { TailBuffer } from "./tail/tail-buffer.ts";
import { type HeaderOf, TailForwarder, type TailRoute } from "./tail/tail-forwarder.ts";
import type { Outgoing } from "./outgoing.ts";
import { JournalBackedQueue, type JournalBackedRoute } from "./queue/journal-backed-queue.ts";
import { keyOf, openRoutes, type Route, type RouteOptions } from "./route.ts";
import type { ForwardDestination } from "./settings.ts";
import { messageOf } from "../../support/structures/error-message.ts";
import { packageFolder } from "../../support/process/package-folder.ts";
import type { Signal } from "../../otlp/signal.ts";

/** Header that lists the processes that forwarded a request, oldest first. */
const HOP_HEADER = "tracejury-hops";
/** A request that this many processes have forwarded is considered to be in a loop. */
const MOST_HOPS = 8;

const messages = {
  traces: ["trace.proto", "opentelemetry.proto.trace.v1.TracesData"],
  logs: ["logs.proto", "opentelemetry.proto.logs.v1.LogsData"],
  metrics: ["metrics.proto", "opentelemetry.proto.metrics.v1.MetricsData"],
} as const satisfies Record<Signal, readonly [file: string, type: string]>;

const types = new Map<Signal, Promise<protobuf.Type>>();

export interface ForwarderOptions extends RouteOptions {
  /** Id of this process, for the `tracejury-hops` header, which detects loops. */
  readonly instance: string;
  /**
   * Addresses of this process's listeners as `host:port`. Forwarding to a listener of this process is refused, because the same telemetry
   * would be received and forwarded for ever.
   */
  readonly listeners: readonly string[];
  /** Encodes verdicts as span events for the judged root span. If absent, no events are added to forwarded spans. */
  readonly eventsOf?: EventsOf;
}

/**
 * Forwards received requests to every backend, unchanged if the backend accepts their format. Only requests to backends with tail-based
 * forwarding wait for the evaluation.
 */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #routes: readonly Route[];

  readonly #lock: Lock | null;
  /** Tail-based forwarding; null if no backend is configured for it. */
  readonly tailForwarder: TailForwarder | null;
  /** Lets the queues use the journal's copies of requests; null if the queues are in memory. */
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
   * Opens the queues of all backends. Rejects with `EndpointError` if a backend's address is invalid, is used by two backends, or is a
   * listener of this process. Rejects with `JournalOpenError` if another process uses the queues, or a folder cannot be read.
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

  /** Memory in bytes that all queues use together. */
  get heldBytes(): number {
    return this.#routes.reduce((sum, { backend }) => sum + backend.heldBytes, 0);
  }

  /** Returns the refusal of the first queue that cannot accept a request now; null if all can. */
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
   * Queues a request for every backend, without the records that tail-based forwarding holds. Resolves to null once all queues have stored
   * the request. Resolves to a refusal if a queue refuses it; the sender must then retry.
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

  /** Sends waiting requests until the time-out. Unsent requests in a disk queue stay on disk. */
  async close(timeoutMs: number): Promise<void> {
    await Promise.all(this.#routes.map(({ backend }) => backend.close(timeoutMs)));
    await this.#lock?.release();
  }

  /** Returns the part of a request that is forwarded at once; null if tail-based forwarding holds the whole request. */
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
 * Rejects two backends with the same protocol and address, because protocol and address identify a backend's queue.
 * @throws EndpointError if an address is used twice
 */
function refuseDuplicates(destinations: readonly ForwardDestination[]): void {
  const keys = destinations.map(keyOf);
  for (const [index, key] of keys.entries()) {
    const first = keys.indexOf(key);
    if (first === index) continue;
    throw new EndpointError(
      `forward[${index}].endpoint: "${shownAddress(destinations[index]?.endpoint ?? "")}" is the backend of forward[${first}]; each request would be sent ` +
        `twice. Remove one of the two entries.`,
    );
  }
}

/** Returns the lower-case names of the sender's headers to forward. */
function headerNames({ passHeaders }: ForwardDestination): readonly string[] {
  return [...passHeaders, HOP_HEADER];
}

/** Queues a request in a format that the backend accepts. A request that cannot be converted is dropped and counted. */
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

/**
 * Converts a request for a gRPC backend. A protobuf body without compression or with gzip stays unchanged. A body with another compression
 * is decompressed. A JSON body becomes protobuf, without the fields that OTLP does not define.
 */
async function fitForGrpc(outgoing: Outgoing, inflated: Uint8Array): Promise<Outgoing> {
  if (outgoing.encoding === "json") {
    const body = await jsonToProtobuf(outgoing.signal, inflated);
    return { ...outgoing, encoding: "protobuf", coding: null, body };
  }
  if (outgoing.coding === null || outgoing.coding === "gzip") return outgoing;
  return { ...outgoing, coding: null, body: inflated };
}

async function jsonToProtobuf(signal: Signal, body: Uint8Array): Promise<Uint8Array> {
  const type = await typeFor(signal);
  const document: unknown = JSON.parse(Buffer.from(body).toString());
  return type.encode(type.fromObject(withBytes(document) as Record<string, unknown>)).finish();
}

function typeFor(signal: Signal): Promise<protobuf.Type> {
  const loading = types.get(signal) ?? loadType(signal);
  types.set(signal, loading);
  return loading;
}

async function loadType(signal: Signal): Promise<protobuf.Type> {
  const { default: protobufjs } = await import("protobufjs");
  const [file, name] = messages[signal];
  const root = new protobufjs.Root();
  await root.load(fileURLToPath(new URL(`proto/${file}`, packageFolder())));
  return root.resolveAll().lookupType(name);
}

/** Converts hex ids in OTLP/JSON into bytes, as protobufjs requires. Accepts field names in camel case and snake case. */
function withBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBytes);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      const isId = /^(traceId|spanId|parentSpanId)$/.test(name) && typeof inner === "string";
      return [name, isId ? Buffer.from(inner, "hex") : withBytes(inner)];
    }),
  );
}

/** Whether this process has already forwarded the request, or too many processes have. */
function isLoop(hops: string | undefined, instance: string): boolean {
  const named = namesIn(hops);
  return named.length >= MOST_HOPS || named.includes(instance);
}

/** Returns the `tracejury-hops` header for the forwarded request: the received header with this process added at the end. */
function hopsWith(hops: string | undefined, instance: string): string {
  return [...namesIn(hops), instance].join(", ");
}

function namesIn(hops: string | undefined): string[] {
  const names = (hops ?? "").split(",").map((name) => name.trim());
  return names.filter((name) => /^[\w-]{1,64}$/.test(name));
}
