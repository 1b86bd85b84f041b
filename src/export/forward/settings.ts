import type { HoldSettings } from "./tail/tail-buffer.ts";

export interface ForwardDestination {
  /** Base URL; for HTTP, `/v1/traces` or another signal path is appended. */
  readonly endpoint: string;
  readonly protocol: "http" | "grpc";
  /** Headers that are added to each request, and replace headers of the original sender. */
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
