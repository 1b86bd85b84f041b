import type { SharedRequest } from "../../../journal/journal.ts";
import type { RequestMeta } from "../../../journal/records/record-kinds.ts";
import type { ReceivedRequest } from "../../../receive/ports.ts";
import { forwardQueueLimits } from "../../queue/backend-down.ts";
import type { StoredCopy } from "../../queue/disk-queue.ts";
import type { Outgoing } from "../outgoing.ts";

/** A backend for which the journal's copy of a request may serve as the queue's. */
export interface JournalBackedRoute {
  /** Names it in the journal. */
  readonly key: string;
  /** Its name in the journals of earlier versions. */
  readonly formerKey: string;
  /** Headers of a sender that are looked at, by lower-case name. */
  readonly headerNames: readonly string[];
  /** Whether it takes the request as it is kept. */
  takes(request: Pick<ReceivedRequest, "encoding">): boolean;
  /** Whether it gets what it is sent. One that lags has a queue of its own, so that the journal need not keep up with it. */
  isWell(): boolean;
  /** Puts a request of an earlier process into the queue. */
  resume(meta: RequestMeta, body: Uint8Array, copy: (outgoing: Outgoing) => StoredCopy<Outgoing>): void;
}

interface JournalBacking {
  readonly queues: readonly string[];
  readonly request: SharedRequest;
}

/**
 * Spares backends' queues their own copy of a request on the disk: where the journal has the very bytes that are to be sent on, its record
 * is retained until they are, and the queue has no copy of its own.
 */
export class JournalBackedQueue {
  readonly #routes: readonly JournalBackedRoute[];
  readonly #backings = new WeakMap<ReceivedRequest, JournalBacking>();
  /** Requests of each queue in the journal, by key. */
  readonly #bytes = new Map<string, number>();

  constructor(routes: readonly JournalBackedRoute[]) {
    this.#routes = routes;
  }

  /** Headers that have to be kept to send a request on after a restart, by lower-case name. */
  get headerNames(): readonly string[] {
    return this.#routes.flatMap(({ headerNames }) => headerNames);
  }

  /**
   * The queues for which the journal's record of a request is to serve, once it is there.
   * @param journalBytes that the journal may take
   */
  queuesFor(body: Uint8Array, request: ReceivedRequest, journalBytes: number): readonly string[] {
    if (request.sent?.body !== body) return []; // compressed: what is sent on are other bytes
    const most = Math.min(forwardQueueLimits.journalBytes, journalBytes * forwardQueueLimits.journalShare);
    return this.#routes
      .filter((route) => this.#bytesOf(route.key) + body.length <= most)
      .filter((route) => route.takes(request) && route.isWell())
      .map(({ key }) => key);
  }

  /** The journal has a request for these queues. */
  begin(received: ReceivedRequest, queues: readonly string[], request: SharedRequest): void {
    if (queues.length > 0) this.#backings.set(received, { queues, request });
  }

  /** Reference of a queue to a journalled request; null if it needs a copy. */
  copyFor(received: ReceivedRequest, key: string, outgoing: Outgoing): StoredCopy<Outgoing> | null {
    const backing = this.#backings.get(received);
    return backing?.queues.includes(key) === true ? this.#copy(backing.request, key, outgoing) : null;
  }

  /** Takes up a request of an earlier process for the queues that have not sent it on. Gives those that there are no more. */
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
