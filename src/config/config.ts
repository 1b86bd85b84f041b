import type { TraceTimeouts } from "../assemble/timeouts/trace-timeouts.ts";
import type { ExportSettings } from "../export/settings.ts";
import type { ForwardDestination } from "../export/forward/settings.ts";
import type { JudgeServiceSettings } from "../judge/settings.ts";
import type { Sampling } from "../pipeline/decisions.ts";
import type { PriceOverrides } from "../model/price/price.ts";
import type { KafkaSettings } from "../receive/kafka/settings.ts";
import type { RedactionSettings } from "../support/redact/redactor.ts";
import type { DialectTable } from "../runs/dialect-table.ts";
import type { SecuritySettings } from "../support/security/settings.ts";
import type { StoreSettings } from "../store/settings.ts";
import type { OwnTracesSettings } from "../support/telemetry/traces/own-traces.ts";
import type { LogOptions } from "../support/telemetry/log/log.ts";

/** Default data folder. */
export const DEFAULT_DATA_DIR = "./tracejury-data";

/** A port that agents use as the base URL of their providers. */
export interface ModelReceiverSettings {
  /** As written: `host:port`, or `off`. */
  readonly address: string;
  /** Path segments and the base URLs behind them. */
  readonly providers: readonly { readonly name: string; readonly base: URL }[];
}

/** The whole configuration, ready to use: times in milliseconds, sizes in bytes. */
export interface Config {
  readonly dataDir: string;
  /** Addresses as written: `host:port`, or `off`. */
  readonly receive: { readonly http: string; readonly grpc: string; readonly maxBody: number };
  /** Null: nothing is read from Kafka. */
  readonly kafka: KafkaSettings | null;
  /** Null: no model calls are passed on. */
  readonly models: ModelReceiverSettings | null;
  readonly admin: string;
  /** Files are read again when they change. */
  readonly watch: boolean;
  /** Longest time of a stop. */
  readonly stopTimeoutMs: number;
  readonly security: SecuritySettings;
  /** Files, folders or globs, relative to the working directory. */
  readonly specs: readonly string[];
  /** Version that runs are compared with; null: as the specs say. */
  readonly baseline: string | null;
  /** Folder of baselines; null: as the specs say. */
  readonly baselineDir: string | null;
  readonly assemble: TraceTimeouts;
  /** A conversation ends after this long without a run. */
  readonly conversationIdleMs: number;
  readonly journal: { readonly durability: "fsync" | "flush" | "memory"; readonly budget: number };
  readonly store: StoreSettings;
  /** Interval between two looks at the trend of each query. */
  readonly changesEveryMs: number;
  readonly redact: RedactionSettings;
  readonly limits: { readonly memory: number; readonly tenantHeader: string | null };
  readonly export: ExportSettings;
  readonly sampling: Sampling;
  readonly forward: readonly ForwardDestination[];
  readonly judge: JudgeServiceSettings;
  readonly prices: PriceOverrides;
  /** `ignore`: regular expressions of text to ignore when a request is compared with a recorded one. */
  readonly recordedModels: { readonly ignore: readonly string[] };
  readonly attributes: readonly string[];
  /** Attribute mappings of the project's own; they are believed before the dialects that are built in. */
  readonly dialects: readonly DialectTable[];
  /** The project's own tools by category. */
  readonly toolCategories: Readonly<Record<string, readonly string[]>>;
  readonly telemetry: {
    readonly logLevel: LogOptions["level"];
    readonly logFormat: LogOptions["format"];
    readonly otelcolNames: boolean;
    readonly traces: OwnTracesSettings | null;
  };
}
