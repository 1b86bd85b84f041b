import type { SharedRequest } from "../../../journal/journal.ts";
import type { RequestMeta } from "../../../journal/records/record-kinds.ts";
import type { ReceivedRequest } from "../../../receive/ports.ts";
import { forwardQueueLimits } from "../../queue/backend-down.ts";
import type { StoredCopy } from "../../queue/disk-queue.ts";
import type { Outgoing } from "../outgoing.ts";

/** A backend that can read its waiting requests from the journal. */
export interface JournalBackedRoute {
  /** Key of the backend in the journal. */
  readonly key: string;
  /** Key of the backend in journals that earlier versions of Tracejury wrote. */
  readonly formerKey: string;
  /** Lower-case names of the sender's headers to forward. */
  readonly headerNames: readonly string[];
  /** Whether the backend accepts the request's encoding, in which the journal stores the request. */
  takes(request: Pick<ReceivedRequest, "encoding">): boolean;
  /**
   * Whether the last attempt did not fail and the backend's queue has room. If false, the queue stores its own copies of new requests, so
   * that the journal need not retain requests for a failing backend.
   */
  isWell(): boolean;
  /** Queues a request that an earlier process stored in the journal. */
  resume(meta: RequestMeta, body: Uint8Array, copy: (outgoing: Outgoing) => StoredCopy<Outgoing>): void;
}

interface JournalBacking {
  readonly queues: readonly string[];
  readonly request: SharedRequest;
}

/**
 * Uses the journal's copy of a request as the queue's copy, so that the disk contains the request only once. The journal retains a request
 * until it is sent.
 */
export class JournalBackedQueue {
  readonly #routes: readonly JournalBackedRoute[];
  readonly #backings = new WeakMap<ReceivedRequest, JournalBacking>();
  /** Bytes of the requests in the journal that wait for a backend, by the backend's key. */
  readonly #bytes = new Map<string, number>();

  constructor(routes: readonly JournalBackedRoute[]) {
    this.#routes = routes;
  }

  /** Lower-case names of the headers that the journal must store, so that requests can be forwarded after a restart. */
  get headerNames(): readonly string[] {
    return this.#routes.flatMap(({ headerNames }) => headerNames);
  }

  /**
   * Returns the keys of the backends that will read this request from the journal.
   * @param journalBytes maximum size of the journal
   */
  queuesFor(body: Uint8Array, request: ReceivedRequest, journalBytes: number): readonly string[] {
    // The journal stores decompressed bodies, but a compressed body is forwarded compressed. So the journal's copy can be forwarded only if
    // the body was received without compression.
    if (request.sent?.body !== body) return [];
    const most = Math.min(forwardQueueLimits.journalBytes, journalBytes * forwardQueueLimits.journalShare);
    return this.#routes
      .filter((route) => this.#bytesOf(route.key) + body.length <= most)
      .filter((route) => route.takes(request) && route.isWell())
      .map(({ key }) => key);
  }

  /** Records that the journal has stored a request for these backends. */
  begin(received: ReceivedRequest, queues: readonly string[], request: SharedRequest): void {
    if (queues.length > 0) this.#backings.set(received, { queues, request });
  }

  /** Returns the journal's copy of a request, for the queue of one backend; null if this queue must store its own copy. */
  copyFor(received: ReceivedRequest, key: string, outgoing: Outgoing): StoredCopy<Outgoing> | null {
    const backing = this.#backings.get(received);
    return backing?.queues.includes(key) === true ? this.#copy(backing.request, key, outgoing) : null;
  }

  /**
   * After a restart, queues a request of the journal again for these backends. Returns the keys of backends that are no longer configured.
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
