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
import type { DialectTable } from "../../runs/dialect-table.ts";
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
  /** Kafka connection; if null or absent, nothing is read from Kafka. */
  readonly kafka?: KafkaSettings | null;
  /** Port for model calls; if null or absent, no model calls are proxied. */
  readonly models?: ModelReceiverSettings | null;
  /** Memory limit of the process in bytes. If absent, no request is refused for lack of memory. */
  readonly memory?: number;
  /** Header that names the tenant of a request. If absent, the credential identifies the tenant. */
  readonly tenantHeader?: string | null;
  readonly timeouts: TraceTimeouts;
  /** Idle time in milliseconds after which a conversation ends; if absent, the idle time of traces. */
  readonly conversationIdleMs?: number;
  readonly export: ExportSettings;
  /** Disk queues for undelivered records. If absent, undelivered records wait in memory. */
  readonly outputQueues?: OutputQueueSettings | undefined;
  /** Selects which runs are evaluated. If absent, all runs are evaluated. */
  readonly sampling?: Sampling;
  /** Forwarding backends. Default: none. */
  readonly forward?: ForwardSettings;
  readonly attributes: readonly string[];
  readonly prices: PriceOverrides;
  /** Attribute mappings of the configuration. Default: none. */
  readonly dialects?: readonly DialectTable[];
  readonly otelcolNames: boolean;
  /** Backend for Tracejury's own traces. Default: none. */
  readonly traces?: OwnTracesSettings | null;
  /** Journal settings. If null or absent, open traces are lost when the process ends. */
  readonly journal?: JournalSettings | null;
  /** Credentials and certificates. If absent, every sender is accepted. */
  readonly security?: SecuritySettings;
  /** Redaction settings. If absent, nothing is redacted. */
  readonly redact?: RedactionSettings;
  /** Store settings. If absent, the latest verdicts are held in memory. */
  readonly store?: StoreSettings;
  /** Interval between two examinations of each query's trend, in milliseconds; one day if absent. */
  readonly changesEveryMs?: number;
}

/** Specs and rubrics for judging, replaced as a whole when they change. */
export interface JudgedBy {
  readonly specs: readonly CompiledSpec[];
  readonly judgeSkipPolicy: JudgeSkipPolicy;
  /** Runs the project's own checks. */
  readonly userChecks?: UserCheckPort | undefined;
  /** Judge models; undefined if no judge is configured. */
  readonly judging?: JudgingOptions | undefined;
  /** Baselines for comparison. */
  readonly reference?: JudgeRunOptions["reference"];
  /** Folder of saved runs. If absent, each spec uses its own folder. */
  readonly baselineDir?: string | undefined;
  /** Receives each request to a judge, to export the request as a span. */
  readonly judgeCalls?: JudgeCalls;
}

/** Reports each request to a judge. The span exporter sets the callback. */
export interface JudgeCalls {
  tell: (call: JudgeCall) => void;
}

export interface CollectorOptions extends JudgedBy {
  /** Files of the admin port's page. Default: a plain table. */
  readonly page?: PageFiles | undefined;
  /**
   * Returns the effective configuration as JSON text with masked secrets. If absent, the page does not show
   * the configuration.
   */
  readonly shownConfig?: (() => string) | undefined;
  /** Reloads specs and configuration when the API receives a reload request. */
  readonly reloading?: {
    readonly last: () => ReloadResult | null;
    readonly now: () => Promise<ReloadResult | null>;
  };
  readonly settings: CollectorSettings;
  readonly log: Log;
  readonly onJudged?: (judged: JudgedRun) => void;
  /** Replaces the built-in Kafka client, for example in tests. */
  readonly kafkaPort?: KafkaPort;
}

/** Settings that a reload can change. */
export interface ConfigReload {
  readonly by: JudgedBy;
  readonly settings: CollectorSettings;
}

export interface JudgingOptions {
  readonly asking: Asking;
  /** Cancels all open requests to judges. */
  readonly abort: () => void;
}
