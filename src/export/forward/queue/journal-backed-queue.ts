import type { SharedRequest } from "../../../journal/journal.ts";
import type { RequestMeta } from "../../../journal/records/record-kinds.ts";
import type { ReceivedRequest } from "../../../receive/ports.ts";
import { forwardQueueLimits } from "../../queue/backend-down.ts";
import type { StoredCopy } from "../../queue/disk-queue.ts";
import type { Outgoing } from "../outgoing.ts";

/** A backend whose queue may reference requests in the journal. */
export interface JournalBackedRoute {
  /** Key of the backend in records of the journal. */
  readonly key: string;
  /** Key of the backend in journals that earlier versions wrote. */
  readonly formerKey: string;
  /** Names of headers to forward from the sender, in lower case. */
  readonly headerNames: readonly string[];
  /** Whether the backend accepts the request in the format that the journal stores. */
  takes(request: Pick<ReceivedRequest, "encoding">): boolean;
  /**
   * Whether the backend keeps up. For a slow backend, the queue stores its own copies, so that the journal
   * need not retain the requests.
   */
  isWell(): boolean;
  /** Adds a request that an earlier process stored in the journal. */
  resume(meta: RequestMeta, body: Uint8Array, copy: (outgoing: Outgoing) => StoredCopy<Outgoing>): void;
}

interface JournalBacking {
  readonly queues: readonly string[];
  readonly request: SharedRequest;
}

/**
 * Avoids a second copy of a request on disk. If the journal contains the bytes to forward, the queue stores
 * no copy. The journal's record is then retained until the bytes are sent.
 */
export class JournalBackedQueue {
  readonly #routes: readonly JournalBackedRoute[];
  readonly #backings = new WeakMap<ReceivedRequest, JournalBacking>();
  /** Number of bytes that each queue references in the journal, by the backend's key. */
  readonly #bytes = new Map<string, number>();

  constructor(routes: readonly JournalBackedRoute[]) {
    this.#routes = routes;
  }

  /** Lower-case names of headers that the journal must store, to forward a request after a restart. */
  get headerNames(): readonly string[] {
    return this.#routes.flatMap(({ headerNames }) => headerNames);
  }

  /**
   * Returns the keys of queues that can reference the journal's record of a request.
   * @param journalBytes maximum size of the journal
   */
  queuesFor(body: Uint8Array, request: ReceivedRequest, journalBytes: number): readonly string[] {
    // the journal stores the decompressed body, and a compressed body is forwarded as received
    if (request.sent?.body !== body) return [];
    const most = Math.min(forwardQueueLimits.journalBytes, journalBytes * forwardQueueLimits.journalShare);
    return this.#routes
      .filter((route) => this.#bytesOf(route.key) + body.length <= most)
      .filter((route) => route.takes(request) && route.isWell())
      .map(({ key }) => key);
  }

  /** Called when the journal has stored a request that these queues reference. */
  begin(received: ReceivedRequest, queues: readonly string[], request: SharedRequest): void {
    if (queues.length > 0) this.#backings.set(received, { queues, request });
  }

  /**
   * Returns a queue's reference to the journal's record of a request; null if the queue needs its own copy.
   */
  copyFor(received: ReceivedRequest, key: string, outgoing: Outgoing): StoredCopy<Outgoing> | null {
    const backing = this.#backings.get(received);
    return backing?.queues.includes(key) === true ? this.#copy(backing.request, key, outgoing) : null;
  }

  /**
   * Restores a request for the queues that have not sent the request, after a restart. Returns keys of
   * queues that no longer exist.
   */
  resume(
    meta: RequestMeta,
    body: Uint8Array,
    queues: readonly string[],
    request: SharedRequest,
  ): readonly string[] {
    return queues.filter((key) => {
      const route = this.#routes.find((one) => one.key === key || one.formerKey === key);
      if (route === undefined) request.sentOn(key);
      else route.resume(meta, body, (outgoing) => this.#copy(request, key, outgoing));
      return route === undefined;
    });
  }

  #copy(request: SharedRequest, key: string, { body: { length }, ...about }: Outgoing): StoredCopy<Outgoing> {
    this.#bytes.set(key, this.#bytesOf(key) + length);
    return {
      read: async () => ({ ...about, body: await request.read() }),
      done: () => {
        this.#bytes.set(key, this.#bytesOf(key) - length);
        request.sentOn(key);
      },
    };
  }

  #bytesOf(key: string): number {
    return this.#bytes.get(key) ?? 0;
  }
}
