import type { HoldSettings } from "./tail/tail-buffer.ts";

/** A backend to which telemetry is forwarded. */
export interface ForwardDestination {
  /** Base URL; for HTTP, `/v1/traces` or another signal path is appended. */
  readonly endpoint: string;
  readonly protocol: "http" | "grpc";
  /** Headers added to each request. These headers take precedence over forwarded headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sender's headers that are forwarded, in lower case. */
  readonly passHeaders: readonly string[];
  /** Time-out of one attempt in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum size of waiting requests in bytes. */
  readonly queueBytes: number;
  /** A request that fails for this many milliseconds while others succeed is dropped. */
  readonly maxElapsedMs: number;
  /** Tail-based forwarding settings; null: each request is forwarded at once, unchanged. */
  readonly hold: (HoldSettings & { readonly events: boolean }) | null;
}

/** Durability of waiting requests; the same as the journal's. */
export type ForwardDurability = "fsync" | "flush" | "memory";
