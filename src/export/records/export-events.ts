import type { ScoreKind } from "../settings.ts";

/** The output that an event concerns. `destination` is the host and port, or the path of the file. */
export interface ExportRoute {
  readonly exporter: "otlp_http" | "webhook" | ScoreKind | "kafka" | "file" | "postgres";
  readonly signal: "logs" | "traces" | "metrics" | "verdicts" | "changes" | "runs";
  readonly destination: string;
}

/** Events of an exporter, for metrics and the log. */
export interface ExportEvents {
  /**
   * Called when records are accepted for sending. An accepted or recovered record is later sent or dropped;
   * until then, the record waits.
   */
  taken(event: ExportRoute & { readonly records: number }): void;
  /** Called when records of an earlier process are found on disk. This process will send the records. */
  recovered(event: ExportRoute & { readonly records: number }): void;
  /** Called when records were moved to disk because they could not be sent. */
  queuedOnDisk(event: ExportRoute & { readonly records: number }): void;
  sent(event: ExportRoute & { readonly records: number }): void;
  /** Called when records are given up without delivery. */
  dropped(event: ExportRoute & { readonly records: number; readonly why: DropReason }): void;
  /** Called when a backend accepted a request and rejected some of its items. */
  rejected(event: ExportRoute & { readonly records: number; readonly why: string }): void;
  /** Called when a request or write failed. If the outcome is `retry`, the request will be sent again. */
  failed(event: ExportRoute & { readonly outcome: string; readonly error: string }): void;
  /** Called when a request or write has ended. `error` is null if the request was accepted. */
  attempted?(
    event: ExportRoute & {
      readonly records: number;
      readonly startUnixMs: number;
      readonly endUnixMs: number;
      readonly error: string | null;
    },
  ): void;
  /** Makes the fill level of a queue available as a metric. */
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

/** Event callbacks that do nothing. */
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
