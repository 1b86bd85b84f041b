import type { Outcome } from "../model/outcome.ts";
import type { Rotation } from "./file/rotation.ts";
import type { KafkaConnection } from "../receive/kafka/settings.ts";
import type { SpanPlacement } from "./records/verdict-span.ts";

export type Signal = "logs" | "traces" | "metrics";

/** An OTLP/HTTP backend that receives verdicts. */
export interface OtlpDestination {
  /** Base URL; `/v1/logs` or another signal path is appended. */
  readonly endpoint: string;
  readonly signals: readonly Signal[];
  /** Form in which evaluation results are sent: log records, span events, or both. */
  readonly events: "both" | "logs" | "span";
  readonly headers: Readonly<Record<string, string>>;
  readonly compression: "gzip" | "none";
  /** Time-out of one attempt in milliseconds. */
  readonly timeoutMs: number;
}

/** A webhook: a URL to which verdicts or changes are posted. */
export interface WebhookDestination {
  readonly url: string;
  /** What is posted: verdicts, or changes of a query's pass rate, cost, latency or tokens. */
  readonly on: "verdict" | "change";
  readonly format: "json" | "slack";
  readonly headers: Readonly<Record<string, string>>;
  /** Secret that signs the requests; null for no signature. */
  readonly secret: string | null;
  /** Only verdicts with these outcomes are posted. */
  readonly outcomes: readonly Outcome[];
  /** Maximum number of verdicts in one request. A verdict waits at most `maxDelayMs` milliseconds for other verdicts. */
  readonly maxBatch: number;
  readonly maxDelayMs: number;
  /** Time-out of one attempt in milliseconds. */
  readonly timeoutMs: number;
}

export const scoreKinds = ["langfuse", "phoenix", "mlflow", "langsmith", "braintrust", "datadog"] as const;
export type ScoreKind = (typeof scoreKinds)[number];

/** A tracing backend to which scores are posted, for the traces that it stores. */
export interface ScoresDestination {
  readonly kind: ScoreKind;
  /** Base URL of the backend's API. */
  readonly endpoint: string;
  readonly key: string | null;
  /**
   * For Braintrust, the project's id. For Phoenix, the project's name; null for `default`. For Datadog,
   * `ml_app`; null for the service of each run.
   */
  readonly project: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Names of the results to post: evaluation names, or keys of the spec. `*` matches any characters. */
  readonly names: readonly string[];
  /** Which span gets the score of a check: the run's root span (`run`), or the evidence of the check (`check`). */
  readonly on: "run" | "check";
  /** Time-out of one request in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum milliseconds that scores wait until the backend has the judged trace. */
  readonly waitMs: number;
}

/** A Kafka topic to which verdicts are written. */
export interface KafkaDestination extends KafkaConnection {
  readonly topic: string;
  /** Milliseconds to wait for the brokers' acknowledgement. */
  readonly timeoutMs: number;
}

export type RevisionChoice = "final" | "first" | "all";

/** The complete `export` section of the configuration. */
export interface ExportSettings {
  /** Path of the verdict file (JSON lines); null for no file. */
  readonly file: string | null;
  /** Rotation of the verdict file; null for no rotation. */
  readonly rotation: Rotation | null;
  readonly otlp: readonly OtlpDestination[];
  readonly webhook: readonly WebhookDestination[];
  readonly scores: readonly ScoresDestination[];
  readonly kafka: KafkaDestination | null;
  /** Public URL of Tracejury's web page; null for no links in scores. */
  readonly link: string | null;
  /** Maximum disk space for the undelivered records of one output, in bytes. */
  readonly queueBytes: number;
  readonly span: SpanPlacement;
  readonly revisions: RevisionChoice;
  /** Whether exported records include texts of runs and judges' reasons. The verdict file always includes texts and reasons. */
  readonly content: boolean;
}
