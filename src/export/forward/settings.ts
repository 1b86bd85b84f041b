import type { HoldSettings } from "./tail/tail-buffer.ts";

export interface ForwardDestination {
  /** Base URL; for HTTP, `/v1/traces` or another signal path is appended. */
  readonly endpoint: string;
  readonly protocol: "http" | "grpc";
  /** Headers to add to each request. An added header replaces a header with the same name from the original sender. */
  readonly headers: Readonly<Record<string, string>>;
  /** Lower-case names of the sender's headers to forward. */
  readonly passHeaders: readonly string[];
  /** Time-out of one attempt in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum size of the waiting requests in bytes. */
  readonly queueBytes: number;
  /** Milliseconds after which a failing request is dropped, if other requests succeeded in this time. */
  readonly maxElapsedMs: number;
  /** Tail-based forwarding; null to forward requests at once and unchanged. */
  readonly hold: (HoldSettings & { readonly events: boolean }) | null;
}

/** How safely waiting requests are stored. The values mean the same as those of the setting `journal.durability`. */
export type ForwardDurability = "fsync" | "flush" | "memory";
