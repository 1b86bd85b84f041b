import type { Accept, Admission, Authorize, CrossOrigin, ReceiverEvents, ReceiverLog } from "../ports.ts";
import type { Timeouts } from "./pace.ts";
import type { Turns } from "./turns.ts";
import type { Watch } from "./watch.ts";

/** State that is common to all requests of one port. */
export interface ReceiveContext {
  readonly accept: Accept;
  readonly admission: Admission;
  readonly events: ReceiverEvents;
  readonly log: ReceiverLog;
  readonly authorize: Authorize;
  readonly crossOrigin: CrossOrigin | null;
  /** Whether a request to this port may use this host name; see `isAllowedHost`. */
  readonly admitsHost: (host: string | undefined) => boolean;
  /** Largest body in bytes, both compressed and decompressed. */
  readonly maxBody: number;
  readonly timeouts: Timeouts;
  readonly watch: Watch;
  /** The queue in which large bodies wait to be decompressed. */
  readonly turns: Turns;
  /** Whether the receiver is closing: new requests are refused, requests in flight are answered. */
  readonly draining: boolean;
}
