import type { ScoreKind } from "../settings.ts";

/** Which way out an event is about. `destination` is the host and port, or the file. */
export interface ExportRoute {
  readonly exporter: "otlp_http" | "webhook" | ScoreKind | "kafka" | "file" | "postgres";
  readonly signal: "logs" | "traces" | "metrics" | "verdicts" | "changes" | "runs";
  readonly destination: string;
}

/** Events of an exporter, counted by telemetry and written to the log. */
export interface ExportEvents {
  /** Handed over to be sent. Every such record, and every recovered one, is sent or dropped in the end, or waits. */
  taken(event: ExportRoute & { readonly records: number }): void;
  /** Left on the disk by an earlier process, to be sent by this one. */
  recovered(event: ExportRoute & { readonly records: number }): void;
  /** Not sent at once: it waits on the disk. */
  queuedOnDisk(event: ExportRoute & { readonly records: number }): void;
  sent(event: ExportRoute & { readonly records: number }): void;
  /** Given up by us. */
  dropped(event: ExportRoute & { readonly records: number; readonly why: DropReason }): void;
  /** Items that a backend rejected while it accepted the rest of the request. */
  rejected(event: ExportRoute & { readonly records: number; readonly why: string }): void;
  /** One request or write went wrong; with `retry` it is tried again. */
  failed(event: ExportRoute & { readonly outcome: string; readonly error: string }): void;
  /** One request or write was over; `error` is null when it was taken. */
  attempted?(
    event: ExportRoute & {
      readonly records: number;
      readonly startUnixMs: number;
      readonly endUnixMs: number;
      readonly error: string | null;
    },
  ): void;
  /** Makes the fill of a queue observable. */
  watchQueue(route: ExportRoute, queue: QueueFill): void;
}

export interface QueueFill {
  /** In memory and on the disk. */
  readonly records: number;
  /** In memory. */
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
