import type { Accept, Admission, Authorize, CrossOrigin, ReceiverEvents, ReceiverLog } from "../ports.ts";
import type { Timeouts } from "./pace.ts";
import type { Turns } from "./turns.ts";
import type { Watch } from "./watch.ts";

/** Shared state of all requests to one port. */
export interface ReceiveContext {
  readonly accept: Accept;
  readonly admission: Admission;
  readonly events: ReceiverEvents;
  readonly log: ReceiverLog;
  readonly authorize: Authorize;
  readonly crossOrigin: CrossOrigin | null;
  /** Whether a request to this port may name this host; see `isAllowedHost`. */
  readonly admitsHost: (host: string | undefined) => boolean;
  /** Largest body in bytes, on the wire and inflated. */
  readonly maxBody: number;
  readonly timeouts: Timeouts;
  readonly watch: Watch;
  /** Of large bodies. */
  readonly turns: Turns;
  /** From the start of closing: requests in flight are answered, new ones sent away. */
  readonly draining: boolean;
}
