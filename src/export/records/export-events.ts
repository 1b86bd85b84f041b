import type { ScoreKind } from "../settings.ts";

/** The output of an event. `destination` is the host and port, or the file. */
export interface ExportRoute {
  readonly exporter: "otlp_http" | "webhook" | ScoreKind | "kafka" | "file" | "postgres";
  readonly signal: "logs" | "traces" | "metrics" | "verdicts" | "changes" | "runs";
  readonly destination: string;
}

/** Events of an exporter, for metrics and the log. */
export interface ExportEvents {
  /**
   * Records were accepted for sending. Each accepted or recovered record is eventually sent or dropped, or is
   * still waiting.
   */
  taken(event: ExportRoute & { readonly records: number }): void;
  /** Records of an earlier process were found on disk; this process will send them. */
  recovered(event: ExportRoute & { readonly records: number }): void;
  /** Records were not sent at once and wait on disk. */
  queuedOnDisk(event: ExportRoute & { readonly records: number }): void;
  sent(event: ExportRoute & { readonly records: number }): void;
  /** Records were dropped by Tracejury. */
  dropped(event: ExportRoute & { readonly records: number; readonly why: DropReason }): void;
  /** A backend rejected items but accepted the rest of the request. */
  rejected(event: ExportRoute & { readonly records: number; readonly why: string }): void;
  /** A request or write failed. If the outcome is `retry`, the request is sent again. */
  failed(event: ExportRoute & { readonly outcome: string; readonly error: string }): void;
  /** A request or write has ended. `error` is null if the request was accepted. */
  attempted?(
    event: ExportRoute & {
      readonly records: number;
      readonly startUnixMs: number;
      readonly endUnixMs: number;
      readonly error: string | null;
    },
  ): void;
  /** Makes the fill level of a queue observable as a metric. */
  watchQueue(route: ExportRoute, queue: QueueFill): void;
}

export interface QueueFill {
  /** Number of records in memory and on disk. */
  readonly records: number;
  /** Bytes in memory. */
  readonly bytes: number;
  readonly diskBytes: number;
}

export type DropReason = "queue_full" | "rejected" | "closed" | "unreadable";

/** Ignores all events. */
export const silentEvents: ExportEvents = {
  taken: () => {},
  recovered: () => {},
  queuedOnDisk: () => {},
  sent: () => {},
  dropped: () => {},
  rejected: () => {},
  failed: () => {},
  watchQueue: () => {},
};
