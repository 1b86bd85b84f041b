import type { TraceTimeouts } from "../assemble/timeouts/trace-timeouts.ts";
import type { ExportSettings } from "../export/settings.ts";
import type { ForwardDestination } from "../export/forward/settings.ts";
import type { JudgeServiceSettings } from "../judge/settings.ts";
import type { Sampling } from "../pipeline/decisions.ts";
import type { PriceOverrides } from "../model/price/price.ts";
import type { KafkaSettings } from "../receive/kafka/settings.ts";
import type { RedactionSettings } from "../support/redact/redactor.ts";
import type { DialectTable } from "../runs/facts/dialect-table.ts";
import type { SecuritySettings } from "../support/security/settings.ts";
import type { StoreSettings } from "../store/settings.ts";
import type { OwnTracesSettings } from "../support/telemetry/traces/own-traces.ts";
import type { LogOptions } from "../support/telemetry/log/log.ts";

/** Default data folder. */
export const DEFAULT_DATA_DIR = "./tracejury-data";

/** Settings of the proxy for model calls, which agents use as the base URL of their providers. */
export interface ModelReceiverSettings {
  /** Address as `host:port`, or "off". */
  readonly address: string;
  /** Model providers. `name` is a path segment of the proxy's URL, and `base` the provider's base URL. */
  readonly providers: readonly { readonly name: string; readonly base: URL }[];
}

/** The complete configuration. Times are in milliseconds, sizes in bytes. */
export interface Config {
  readonly dataDir: string;
  /** Addresses of the OTLP receivers as `host:port`, or "off". `maxBody` is the maximum size of a request, in bytes. */
  readonly receive: { readonly http: string; readonly grpc: string; readonly maxBody: number };
  /** Settings of the Kafka receiver; null if it is off. */
  readonly kafka: KafkaSettings | null;
  /** Settings of the proxy for model calls; null if it is off. */
  readonly models: ModelReceiverSettings | null;
  readonly admin: string;
  /** True if a change of a file triggers a reload. */
  readonly watch: boolean;
  /** Maximum duration of a shutdown, in milliseconds. */
  readonly stopTimeoutMs: number;
  readonly security: SecuritySettings;
  /** Spec files, folders (the YAML files directly in them) or globs, relative to the working directory. */
  readonly specs: readonly string[];
  /** Version of the baselines with which runs are compared; null to use the `baseline` of each spec. */
  readonly baseline: string | null;
  /** Folder of baselines; null to use the `baseline_dir` of each spec. */
  readonly baselineDir: string | null;
  readonly assemble: TraceTimeouts;
  /** A conversation ends when it has no new run for this many milliseconds. */
  readonly conversationIdleMs: number;
  readonly journal: { readonly durability: "fsync" | "flush" | "memory"; readonly budget: number };
  readonly store: StoreSettings;
  /** Interval between tests of a query's trend, in milliseconds. */
  readonly changesEveryMs: number;
  readonly redact: RedactionSettings;
  readonly limits: { readonly memory: number; readonly tenantHeader: string | null };
  readonly export: ExportSettings;
  readonly sampling: Sampling;
  readonly forward: readonly ForwardDestination[];
  readonly judge: JudgeServiceSettings;
  readonly prices: PriceOverrides;
  /** `ignore` contains regular expressions. Text that matches one of them is ignored when a request is compared with a recorded request. */
  readonly recordedModels: { readonly ignore: readonly string[] };
  readonly attributes: readonly string[];
  /** Attribute mappings of the project. They take precedence over the built-in dialects. */
  readonly dialects: readonly DialectTable[];
  /** Tools by category, for all specs. */
  readonly toolCategories: Readonly<Record<string, readonly string[]>>;
  readonly telemetry: {
    readonly logLevel: LogOptions["level"];
    readonly logFormat: LogOptions["format"];
    readonly otelcolNames: boolean;
    readonly traces: OwnTracesSettings | null;
  };
}
