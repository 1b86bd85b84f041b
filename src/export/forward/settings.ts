import type { HoldSettings } from "./tail/tail-buffer.ts";

/** A backend to which telemetry is forwarded. */
export interface ForwardDestination {
  /** Base URL; for HTTP, `/v1/traces` or another signal path is appended. */
  readonly endpoint: string;
  readonly protocol: "http" | "grpc";
  /** Headers to add to each request. These headers take precedence over headers of the original sender. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names of headers to forward from the sender, in lower case. */
  readonly passHeaders: readonly string[];
  /** Time-out of one attempt in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum size of waiting requests in bytes. */
  readonly queueBytes: number;
  /** Milliseconds after which a failing request is dropped, if other requests succeed in this time. */
  readonly maxElapsedMs: number;
  /** Settings of tail-based forwarding; null: requests are forwarded at once and unchanged. */
  readonly hold: (HoldSettings & { readonly events: boolean }) | null;
}

/** Durability of waiting requests, with the same values as the journal's durability. */
export type ForwardDurability = "fsync" | "flush" | "memory";
