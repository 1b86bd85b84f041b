import type { SharedRequest } from "../../../journal/journal.ts";
import type { RequestMeta } from "../../../journal/records/record-kinds.ts";
import type { ReceivedRequest } from "../../../receive/ports.ts";
import { forwardQueueLimits } from "../../queue/backend-down.ts";
import type { StoredCopy } from "../../queue/disk-queue.ts";
import type { Outgoing } from "../outgoing.ts";

/** A backend whose queue may reference requests in the journal. */
export interface JournalBackedRoute {
  /** Key of the backend in the journal. */
  readonly key: string;
  /** Key of the backend in the journals of earlier versions. */
  readonly formerKey: string;
  /** Sender's headers that are forwarded, in lower case. */
  readonly headerNames: readonly string[];
  /** Whether the backend accepts the request in its stored form. */
  takes(request: Pick<ReceivedRequest, "encoding">): boolean;
  /**
   * Whether the backend keeps up. A slow backend gets its own copies, so that the journal need not retain its
   * requests.
   */
  isWell(): boolean;
  /** Adds a request of an earlier process to the queue. */
  resume(meta: RequestMeta, body: Uint8Array, copy: (outgoing: Outgoing) => StoredCopy<Outgoing>): void;
}

interface JournalBacking {
  readonly queues: readonly string[];
  readonly request: SharedRequest;
}

/**
 * Avoids a second copy of a request on disk. If the journal contains the bytes to forward, the journal's
 * record is retained until they are sent, and the queue stores no copy.
 */
export class JournalBackedQueue {
  readonly #routes: readonly JournalBackedRoute[];
  readonly #backings = new WeakMap<ReceivedRequest, JournalBacking>();
  /** Bytes of each queue's requests in the journal, by key. */
  readonly #bytes = new Map<string, number>();

  constructor(routes: readonly JournalBackedRoute[]) {
    this.#routes = routes;
  }

  /** Headers that must be stored to forward a request after a restart, in lower case. */
  get headerNames(): readonly string[] {
    return this.#routes.flatMap(({ headerNames }) => headerNames);
  }

  /**
   * Returns the queues that will reference the journal's record of a request.
   * @param journalBytes bytes that these queues may occupy in the journal
   */
  queuesFor(body: Uint8Array, request: ReceivedRequest, journalBytes: number): readonly string[] {
    if (request.sent?.body !== body) return []; // a compressed request is forwarded with other bytes than the journal stores
    const most = Math.min(forwardQueueLimits.journalBytes, journalBytes * forwardQueueLimits.journalShare);
    return this.#routes
      .filter((route) => this.#bytesOf(route.key) + body.length <= most)
      .filter((route) => route.takes(request) && route.isWell())
      .map(({ key }) => key);
  }

  /** Called when the journal has stored a request for these queues. */
  begin(received: ReceivedRequest, queues: readonly string[], request: SharedRequest): void {
    if (queues.length > 0) this.#backings.set(received, { queues, request });
  }

  /** Returns a queue's reference to a request in the journal; null if the queue needs a copy. */
  copyFor(received: ReceivedRequest, key: string, outgoing: Outgoing): StoredCopy<Outgoing> | null {
    const backing = this.#backings.get(received);
    return backing?.queues.includes(key) === true ? this.#copy(backing.request, key, outgoing) : null;
  }

  /**
   * Restores a request of an earlier process for the queues that have not sent it. Returns queues that no
   * longer exist.
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
