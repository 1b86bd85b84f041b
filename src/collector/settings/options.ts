import type { PageFiles } from "../../interfaces/api/page/page-files.ts";
import type { TraceTimeouts } from "../../assemble/timeouts/trace-timeouts.ts";
import type { UserCheckPort } from "../../evaluate/checks/user/user-check-port.ts";
import type { JudgeSkipPolicy } from "../../evaluate/judge/without-judge.ts";
import type { ExportSettings } from "../../export/settings.ts";
import type { JudgeCall } from "../../judge/limits/scheduler.ts";
import type { Sampling } from "../../pipeline/decisions.ts";
import type { Asking, JudgedRun, JudgeRunOptions } from "../../pipeline/judge-run.ts";
import type { PriceOverrides } from "../../model/price/price.ts";
import type { ModelReceiverSettings } from "../../config/config.ts";
import type { KafkaPort } from "../../receive/kafka/port.ts";
import type { KafkaSettings } from "../../receive/kafka/settings.ts";
import type { RedactionSettings } from "../../support/redact/redactor.ts";
import type { DialectTable } from "../../runs/facts/dialect-table.ts";
import type { SecuritySettings } from "../../support/security/settings.ts";
import type { CompiledSpec } from "../../evaluate/query/compiled.ts";
import type { StoreSettings } from "../../store/settings.ts";
import type { OwnTracesSettings } from "../../support/telemetry/traces/own-traces.ts";
import type { Log } from "../../support/telemetry/log/log.ts";
import type { ForwardSettings } from "../outputs/forwarding.ts";
import type { JournalSettings } from "../inputs/open-journal.ts";
import type { OutputQueueSettings } from "../outputs/outputs.ts";
import type { ReloadResult } from "./reload.ts";

export interface CollectorSettings {
  readonly http: string;
  readonly grpc: string;
  readonly admin: string;
  readonly maxBody: number;
  /** Kafka connection; null or absent to read nothing from Kafka. */
  readonly kafka?: KafkaSettings | null;
  /** Port for model calls; null or absent for none. */
  readonly models?: ModelReceiverSettings | null;
  /** Memory limit of the process in bytes. If absent, requests are never refused for lack of memory. */
  readonly memory?: number;
  /** Header with the tenant of a request. If absent, the credential identifies the tenant. */
  readonly tenantHeader?: string | null;
  readonly timeouts: TraceTimeouts;
  /** A conversation ends when it has no new run for this many milliseconds. Default: the idle time of traces. */
  readonly conversationIdleMs?: number;
  readonly export: ExportSettings;
  /** Disk queues for undelivered records. If absent, undelivered records wait in memory. */
  readonly outputQueues?: OutputQueueSettings | undefined;
  /** Selects the runs to evaluate. If absent, all runs are evaluated. */
  readonly sampling?: Sampling;
  /** Backends for forwarding. Default: none. */
  readonly forward?: ForwardSettings;
  readonly attributes: readonly string[];
  readonly prices: PriceOverrides;
  /** Attribute mappings in the configuration. Default: none. */
  readonly dialects?: readonly DialectTable[];
  readonly otelcolNames: boolean;
  /** Export settings for Tracejury's own traces. Default: none. */
  readonly traces?: OwnTracesSettings | null;
  /** Journal settings. If null or absent, open traces are not stored on disk. */
  readonly journal?: JournalSettings | null;
  /** Credentials and certificates. If absent, every sender is accepted. */
  readonly security?: SecuritySettings;
  /** Redaction settings. If absent, nothing is redacted. */
  readonly redact?: RedactionSettings;
  /** Store settings. If absent, the latest verdicts are in memory. */
  readonly store?: StoreSettings;
  /** Interval in milliseconds between two examinations of a query's trend. Default: one day. */
  readonly changesEveryMs?: number;
}

/** Specs, rubrics and judge models. A reload replaces specs, rubrics and judge models together. */
export interface JudgedBy {
  readonly specs: readonly CompiledSpec[];
  readonly judgeSkipPolicy: JudgeSkipPolicy;
  /** Runs the project's own checks. */
  readonly userChecks?: UserCheckPort | undefined;
  /** Judge models; undefined if no judge is configured. */
  readonly judging?: JudgingOptions | undefined;
  /** Returns baselines for comparison. */
  readonly reference?: JudgeRunOptions["reference"];
  /** Folder of saved runs. If absent, each spec has its own baseline folder. */
  readonly baselineDir?: string | null;
  /** Receives each call of a judge model, for export as a span. */
  readonly judgeCalls?: JudgeCalls;
}

/**
 * Holder of `tell`, a callback for each call of a judge model. `tell` is set after the judge models are opened, to export each call as a
 * span.
 */
export interface JudgeCalls {
  tell: (call: JudgeCall) => void;
}

export interface CollectorOptions extends JudgedBy {
  /** Files of the web page. Default: a plain table of verdicts. */
  readonly page?: PageFiles | undefined;
  /** Returns the effective configuration as JSON text with masked secrets. If absent, the page shows no configuration. */
  readonly shownConfig?: (() => string) | undefined;
  /** Reloads specs and configuration when the API receives a request to reload. */
  readonly reloading?: {
    readonly last: () => ReloadResult | null;
    readonly now: () => Promise<ReloadResult | null>;
  };
  readonly settings: CollectorSettings;
  readonly log: Log;
  readonly onJudged?: (judged: JudgedRun) => void;
  /** Replaces the built-in Kafka client, for example in tests. */
  readonly kafkaPort?: KafkaPort;
  /** Monotonic clock in milliseconds, which decides when traces are complete. Default: `performance.now`. */
  readonly now?: () => number;
}

export interface ConfigReload {
  readonly by: JudgedBy;
  readonly settings: CollectorSettings;
}

export interface JudgingOptions {
  readonly asking: Asking;
  /** Cancels all running requests to judge models. */
  readonly abort: () => void;
}
