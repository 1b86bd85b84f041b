import type { HoldSettings } from "./tail/tail-buffer.ts";

/** One backend that telemetry is sent on to. */
export interface ForwardDestination {
  /** Base address; for HTTP `/v1/traces` and the like are appended. */
  readonly endpoint: string;
  readonly protocol: "http" | "grpc";
  /** Sent with each request; they win over those passed on. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers of the sender that go on with its request, by lower-case name. */
  readonly passHeaders: readonly string[];
  /** For one attempt. */
  readonly timeoutMs: number;
  /** Bytes of requests that may wait. */
  readonly queueBytes: number;
  /** A request that fails for this long while others succeed is dropped. */
  readonly maxElapsedMs: number;
  /** Traces go on once they are judged; null: every request goes on at once, as it came. */
  readonly hold: (HoldSettings & { readonly events: boolean }) | null;
}

/** Durability of waiting requests: that of the journal. */
export type ForwardDurability = "fsync" | "flush" | "memory";
