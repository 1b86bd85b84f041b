import type { ScoreKind } from "../settings.ts";

/** The output of an event. `destination` is the host and port of the output, or the path of the file. */
export interface ExportRoute {
  readonly exporter: "otlp_http" | "webhook" | ScoreKind | "kafka" | "file" | "postgres";
  readonly signal: "logs" | "traces" | "metrics" | "verdicts" | "changes" | "runs";
  readonly destination: string;
}

export interface ExportEvents {
  /** Counts accepted records. Each accepted or recovered record is later sent or dropped. */
  taken(event: ExportRoute & { readonly records: number }): void;
  /** Counts records of an earlier process that were found on disk, and that this process will send. */
  recovered(event: ExportRoute & { readonly records: number }): void;
  /** Counts records that were moved to disk because they could not be sent. */
  queuedOnDisk(event: ExportRoute & { readonly records: number }): void;
  sent(event: ExportRoute & { readonly records: number }): void;
  /** Counts records that were dropped without delivery. `error` is the last error of records that failed too often. */
  dropped(
    event: ExportRoute & {
      readonly records: number;
      readonly why: DropReason;
      readonly error?: string | undefined;
    },
  ): void;
  /** Counts and reports the items that a backend rejected within a request that it accepted. */
  rejected(event: ExportRoute & { readonly records: number; readonly why: string }): void;
  /** Reports a failed attempt. With the outcome `retry`, the attempt will be repeated. */
  failed(event: ExportRoute & { readonly outcome: string; readonly error: string }): void;
  /** Observes each attempt after its end. `error` is null if the attempt succeeded. */
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

export type DropReason = "queue_full" | "rejected" | "closed" | "unreadable" | "expired";

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
