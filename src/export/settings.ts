import type { Outcome } from "../model/outcome.ts";
import type { Rotation } from "./file/rotation.ts";
import type { KafkaConnection } from "../receive/kafka/settings.ts";
import type { SpanPlacement } from "./records/verdict-span.ts";

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
  /** For one attempt to send a request. */
  readonly timeoutMs: number;
}

/** An address that verdicts or changes are posted to. */
export interface WebhookDestination {
  readonly url: string;
  /** Posted items: verdicts, or changes of a query's pass rate, cost, latency or tokens. */
  readonly on: "verdict" | "change";
  readonly format: "json" | "slack";
  readonly headers: Readonly<Record<string, string>>;
  /** Signs each request; null: they are not signed. */
  readonly secret: string | null;
  /** Verdicts that are posted. */
  readonly outcomes: readonly Outcome[];
  /** Verdicts in one request, and how long one waits for others. */
  readonly maxBatch: number;
  readonly maxDelayMs: number;
  /** For one attempt. */
  readonly timeoutMs: number;
}

export const scoreKinds = ["langfuse", "phoenix", "mlflow", "langsmith", "braintrust", "datadog"] as const;
export type ScoreKind = (typeof scoreKinds)[number];

/** A tool that shows traces, in which judged traces get scores. */
export interface ScoresDestination {
  readonly kind: ScoreKind;
  /** Base address of its API. */
  readonly endpoint: string;
  readonly key: string | null;
  /** Braintrust: id of the project; Datadog: `ml_app`, null for the service of each run. */
  readonly project: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Evaluation names, or keys of the spec, of what is posted; `*` stands for any characters. */
  readonly names: readonly string[];
  /** Target of a check's score: the run's trace, or the span that is the evidence. */
  readonly on: "run" | "check";
  /** For one request. */
  readonly timeoutMs: number;
  /** How long a verdict waits for its trace to be there. */
  readonly waitMs: number;
}

/** A topic that verdicts are written to. */
export interface KafkaDestination extends KafkaConnection {
  readonly topic: string;
  /** For the brokers' acknowledgement. */
  readonly timeoutMs: number;
}

export type RevisionChoice = "final" | "first" | "all";

/** The `export` section of the configuration, complete. */
export interface ExportSettings {
  /** Verdicts as JSON lines; null for none. */
  readonly file: string | null;
  /** When the file is put aside for a new one; null: never. */
  readonly rotation: Rotation | null;
  readonly otlp: readonly OtlpDestination[];
  readonly webhook: readonly WebhookDestination[];
  readonly scores: readonly ScoresDestination[];
  readonly kafka: KafkaDestination | null;
  /** Address under which people open our own page; null: scores have no link. */
  readonly link: string | null;
  /** Disk space for what one output cannot be sent, in bytes. */
  readonly queueBytes: number;
  readonly span: SpanPlacement;
  readonly revisions: RevisionChoice;
  /** Lets texts of runs and judges' rationale into what is sent; the file has them always. */
  readonly content: boolean;
}
