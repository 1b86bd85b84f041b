/** Which way out an event is about. `destination` is the host and port, or the file. */
export interface ExportRoute {
  readonly exporter: "otlp_http" | "file";
  readonly signal: "logs" | "traces" | "metrics" | "verdicts";
  readonly destination: string;
}

/** What an exporter has to tell: telemetry counts it, the log says it. */
export interface ExportEvents {
  sent(event: ExportRoute & { readonly records: number }): void;
  /** Given up by us. */
  dropped(event: ExportRoute & { readonly records: number; readonly why: DropReason }): void;
  /** Not taken by a backend that accepted the rest of the request. */
  rejected(event: ExportRoute & { readonly records: number; readonly why: string }): void;
  /** One request or write went wrong; `retry` tells that it is tried again. */
  failed(event: ExportRoute & { readonly outcome: string; readonly error: string }): void;
  /** Makes the fill of a queue observable. */
  watchQueue(route: ExportRoute, queue: { readonly records: number; readonly bytes: number }): void;
}

export type DropReason = "queue_full" | "rejected" | "closed" | "write_failed";

/** Hears nothing. */
export const silentEvents: ExportEvents = {
  sent: () => {},
  dropped: () => {},
  rejected: () => {},
  failed: () => {},
  watchQueue: () => {},
};
