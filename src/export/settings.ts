import type { SpanPlacement } from "./verdict-span.ts";

export type Signal = "logs" | "traces" | "metrics";

/** One OTLP/HTTP backend that verdicts go to. */
export interface OtlpDestination {
  /** Base address; `/v1/logs` and the like are appended. */
  readonly endpoint: string;
  readonly signals: readonly Signal[];
  /** Where evaluation events are written: as log records, as span events, or both. */
  readonly events: "both" | "logs" | "span";
  readonly headers: Readonly<Record<string, string>>;
  readonly compression: "gzip" | "none";
  /** For one request with its quick retries. */
  readonly timeoutMs: number;
}

export type RevisionChoice = "final" | "first" | "all";

/** The `export` section of the configuration, complete. */
export interface ExportSettings {
  /** Verdicts as JSON lines; null for none. */
  readonly file: string | null;
  readonly otlp: readonly OtlpDestination[];
  readonly span: SpanPlacement;
  readonly revisions: RevisionChoice;
  /** Lets answer texts and judges' rationale into explanations. */
  readonly content: boolean;
}

export const destinationDefaults: Omit<OtlpDestination, "endpoint"> = {
  signals: ["logs", "traces", "metrics"],
  events: "both",
  headers: {},
  compression: "gzip",
  timeoutMs: 10_000,
};

export const exportDefaults: ExportSettings = {
  file: null,
  otlp: [],
  span: "child",
  revisions: "final",
  content: false,
};
