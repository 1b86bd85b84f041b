/** What a measured process serves; absent: as `serve` does without a configuration, but for the journal, which is none. */
export interface Served {
  /**
   * `live` is all of `serve` with one spec; `relay` keeps requests and sends them on, and reads nothing in them; `receive` is our receiver with nothing
   * behind it; `discard` reads bodies and drops them; `objects` makes objects of the bodies, groups them by trace and asks the same checks; `grpc-js`
   * takes gRPC requests with the usual library and drops them.
   */
  readonly kind: "live" | "relay" | "receive" | "discard" | "objects" | "grpc-js";
  /** How long a trace waits after its root; 500 ms when absent. */
  readonly holdMs?: number;
  /** How long one without a root waits. */
  readonly idleMs?: number;
  /** Address of a backend that everything is sent on to. */
  readonly forwardTo?: string;
  /** `memory` when absent: no journal, and a queue that ends with the process. */
  readonly durability?: "memory" | "flush" | "fsync";
  /** Which agent's runs the spec is about; that of the generated ones when absent. */
  readonly agent?: "*";
  /** Share of the runs that is evaluated; all when absent. */
  readonly sampled?: number;
}

/** What a measured process answers on request. */
export interface Usage {
  /** Microseconds of CPU since the process began. */
  readonly cpu: number;
  readonly rss: number;
  /** The longest pause for collecting garbage since the last time it was asked, in milliseconds. */
  readonly longestPauseMs: number;
}
