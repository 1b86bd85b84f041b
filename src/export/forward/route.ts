import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Lock } from "../../journal/disk/lock.ts";
import { nodeDisk } from "../../journal/disk/node-disk.ts";
import { ownedDisk } from "../../journal/disk/owned-disk.ts";
import type { Repairs } from "../../journal/segments/repairs.ts";
import type { Signal } from "../../otlp/signal.ts";
import { BackendQueue, type BackendEvents } from "./backend/backend-queue.ts";
import type { Sender, SenderOptions } from "./backend/sender.ts";
import { createGrpcSender } from "./backend/grpc-sender.ts";
import { createHttpSender } from "./backend/http-sender.ts";
import type { ForwardDestination, ForwardDurability } from "./settings.ts";
import { forwardQueueLimits } from "../queue/backend-down.ts";
import { openDiskQueue } from "../queue/disk-queue.ts";
import { outgoingFormat } from "./outgoing.ts";
import { RequestStore } from "./queue/request-store.ts";

/** Events of forwarding. `destination` is the host of the backend. */
export interface ForwardEvents {
  failing(destination: string, error: string): void;
  working(destination: string, failures: number): void;
  dropped(destination: string, signal: Signal | null, reason: string, error: string): void;
  rejected(destination: string, items: number, message: string): void;
  /** Observes each attempt after its end. `error` is null if the backend accepted the request. */
  attempted?(
    destination: string,
    attempt: {
      readonly signal: Signal;
      readonly startUnixMs: number;
      readonly endUnixMs: number;
      readonly error: string | null;
    },
  ): void;
  /** Reports that damaged files of a queue were repaired. */
  damaged(destination: string, found: Repairs): void;
  /** Reports that a queue's records cannot be written. */
  storeFailed(destination: string, error: unknown): void;
}

export interface RouteOptions {
  readonly destinations: readonly ForwardDestination[];
  /** Folder with a subfolder for each queue. */
  readonly dir: string;
  readonly durability: ForwardDurability;
  readonly version: string;
  /** Maximum memory of one queue in bytes. */
  readonly memoryBytes: number;
  readonly now: () => number;
  readonly random: () => number;
  readonly events: ForwardEvents;
}

/** Queue and sender of one backend. */
export interface Route {
  readonly name: string;
  /** Key that identifies the backend. Several backends may have the same `name`, which is the host. */
  readonly key: string;
  readonly formerKey: string;
  readonly destination: ForwardDestination;
  readonly backend: BackendQueue;
}

/**
 * Opens a queue and a sender for each backend. Rejects if a queue's folder cannot be read.
 * @param lock lock on the folder of the queues; null if the queues are in memory
 */
export async function openRoutes(options: RouteOptions, lock: Lock | null): Promise<Route[]> {
  const { now, random } = options;
  const routes: Route[] = [];
  for (const [index, destination] of options.destinations.entries()) {
    const name = new URL(destination.endpoint).host;
    const sender = observed(
      senderFor(destination, `forward[${index}]`, options.version),
      name,
      options.events,
    );
    const store = await storeFor(destination, name, options, lock);
    const { maxElapsedMs } = destination;
    const events = eventsFor(name, options.events);
    const backend = new BackendQueue({
      sender,
      store,
      atOnce: forwardQueueLimits.requestsAtOnce,
      maxElapsedMs,
      now,
      random,
      events,
    });
    const [key, formerKey] = [keyOf(destination), formerKeyOf(destination)];
    routes.push({ name, key, formerKey, destination, backend });
  }
  return routes;
}

/**
 * Returns the backend's key in the journal. Credentials in the address are replaced by a digest, so that two accounts at one address have
 * different keys.
 */
export function keyOf(destination: ForwardDestination): string {
  const { protocol, endpoint } = destination;
  const url = new URL(endpoint);
  if (url.username === "" && url.password === "" && url.search === "") return formerKeyOf(destination);
  return `${protocol} ${url.origin}${url.pathname} #${digestOf(destination)}`;
}

/** Returns the backend's key in journals that earlier versions of Tracejury wrote. That key contains the complete address. */
export function formerKeyOf({ protocol, endpoint }: ForwardDestination): string {
  return `${protocol} ${endpoint}`;
}

/** Returns a short digest of the backend's protocol and address; the name of the queue's folder ends with the same digest. */
function digestOf(destination: ForwardDestination): string {
  return createHash("sha256").update(formerKeyOf(destination)).digest("hex").slice(0, 8);
}

function observed(sender: Sender, name: string, events: ForwardEvents): Sender {
  if (events.attempted === undefined) return sender;
  return {
    async send(outgoing) {
      const startUnixMs = Date.now();
      const delivery = await sender.send(outgoing);
      const error = delivery.outcome === "delivered" ? null : delivery.error;
      events.attempted?.(name, { signal: outgoing.signal, startUnixMs, endUnixMs: Date.now(), error });
      return delivery;
    },
    close: () => sender.close(),
  };
}

function senderFor(destination: ForwardDestination, key: string, version: string): Sender {
  const { endpoint, headers, timeoutMs, protocol } = destination;
  const options: SenderOptions = {
    endpoint,
    key,
    headers,
    timeoutMs,
    userAgent: `tracejury/${version}`,
  };
  return protocol === "grpc" ? createGrpcSender(options) : createHttpSender(options);
}

/** Opens the store of a backend's queue, in a folder that depends on the backend's address. */
async function storeFor(
  destination: ForwardDestination,
  name: string,
  options: RouteOptions,
  lock: Lock | null,
): Promise<RequestStore> {
  const { queueBytes } = destination;
  const { durability, memoryBytes, random, events } = options;
  const onError = (error: unknown): void => events.storeFailed(name, error);
  if (lock === null)
    return new RequestStore({ disk: null, memoryBytes: Math.min(queueBytes, memoryBytes), onError });
  const folder = `${name.replaceAll(/[^\w.-]/g, "_").slice(0, 80)}-${digestOf(destination)}`;
  const diskOptions = {
    disk: ownedDisk(nodeDisk(join(options.dir, folder)), lock),
    sync: durability === "fsync",
    budgetBytes: queueBytes,
    salt: () => Math.floor(random() * 2 ** 32),
    onError,
    onDamage: (found: Repairs) => events.damaged(name, found),
  };
  return new RequestStore({ disk: await openDiskQueue(diskOptions, outgoingFormat), memoryBytes, onError });
}

function eventsFor(name: string, events: ForwardEvents): BackendEvents {
  return {
    failing: (error) => events.failing(name, error),
    working: (failures) => events.working(name, failures),
    dropped: (signal, reason, error) => events.dropped(name, signal, reason, error),
    rejected: (items, message) => events.rejected(name, items, message),
  };
}
